// scores/FOLDER.json: what the last run found of each source file. A run of a few files replaces those alone, so a folder can be measured in slices.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { fileURLToPath } from 'node:url'
import { folders } from './folders.mjs'
import { compare, explained } from './report.mjs'

const here = fileURLToPath(new URL('scores/', import.meta.url))
const source = fileURLToPath(new URL('../../packages/kiln/src/', import.meta.url))
const none = () => ({ Killed: 0, Timeout: 0, Survived: 0, NoCoverage: 0, Ignored: 0 })

function sourcesOf(folder) {
  return readdirSync(join(source, folder), { recursive: true })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .sort()
}

function textHash(file) {
  return createHash('sha256').update(readFileSync(join(source, file))).digest('hex').slice(0, 12)
}

function stored(folder) {
  const path = join(here, `${folder}.json`)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
}

/** Puts a report into the folder's scores; gives what it says of the files that `globs` names, since a report may have older results of others. */
export function record(folder, globs, report) {
  const known = stored(folder)
  const now = {}
  const measured = []
  for (const file of sourcesOf(folder)) {
    if (globs.some((glob) => matchesGlob(file, `${folder}/${glob}`))) {
      // A file without mutants is in no report.
      const entry = report.find((found) => found.file === file) ?? { file, counts: none(), survivors: [] }
      measured.push(entry)
      now[file] = { source: textHash(file), counts: entry.counts, survivors: entry.survivors.map(({ text }) => text) }
    } else if (known[file] !== undefined) now[file] = known[file]
  }
  if (measured.length === 0) throw new Error(`no file of ${folder} is named by ${globs.join(', ')}`)
  mkdirSync(here, { recursive: true })
  writeFileSync(join(here, `${folder}.json`), `${JSON.stringify(now, null, 1)}\n`)
  return measured
}

/** A folder's scores: the sum over its files, which of them have never been measured or have changed since, and which survivors are open or explained in vain. */
export function scoresOf(folder) {
  const known = stored(folder)
  const total = { counts: none(), missing: [], changed: [], open: [], stale: [] }
  for (const file of sourcesOf(folder)) {
    if (known[file] === undefined) {
      total.missing.push(file)
      continue
    }
    const { source: hash, counts, survivors } = known[file]
    if (hash !== textHash(file)) total.changed.push(file)
    for (const name of Object.keys(total.counts)) total.counts[name] += counts[name]
    const { open, stale } = compare({ file, survivors: survivors.map((text) => ({ text })) })
    total.open.push(...open.map(({ text }) => `${file}: ${text}`))
    total.stale.push(...stale.map((text) => `${file}: ${text}`))
  }
  return total
}

export function allScores() {
  return folders.map((folder) => ({ folder, ...scoresOf(folder) }))
}

/** What survivors.json explains though it did not survive, or is in no file that there is. */
export function explainedInVain() {
  const files = new Set(folders.flatMap(sourcesOf))
  const lost = explained().filter(({ file }) => !files.has(file))
  return [...allScores().flatMap(({ stale }) => stale), ...lost.flatMap(({ file, mutants }) => mutants.map((text) => `${file}: ${text}`))]
}
