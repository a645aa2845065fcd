// What Stryker wrote of a folder, and which survivors survivors.json explains. A mutant is known by its file and its text, not by its line.
import { readFileSync } from 'node:fs'

const LONGEST = 120

function oneLine(text) {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 3)}...` : line
}

function between(lines, { start, end }) {
  const part = lines.slice(start.line - 1, end.line)
  part[part.length - 1] = part[part.length - 1].slice(0, end.column - 1)
  part[0] = part[0].slice(start.column - 1)
  return part.join('\n')
}

export function readReport(folder) {
  const { files } = JSON.parse(readFileSync(new URL(`.tmp/${folder}.json`, import.meta.url), 'utf8'))
  const counts = { Killed: 0, Timeout: 0, Survived: 0, NoCoverage: 0, Ignored: 0, RuntimeError: 0 }
  const survivors = []
  for (const [path, { source, mutants }] of Object.entries(files)) {
    const lines = source.split('\n')
    const file = path.replace('packages/kiln/src/', '')
    for (const { status, location, replacement } of mutants) {
      counts[status] = (counts[status] ?? 0) + 1
      if (status !== 'Survived' && status !== 'NoCoverage') continue
      survivors.push({ file, line: location.start.line, status, text: `${oneLine(between(lines, location))} → ${oneLine(replacement)}` })
    }
  }
  return { counts, survivors }
}

export function scoreOf({ Killed, Timeout, Survived, NoCoverage }) {
  return (100 * (Killed + Timeout)) / Math.max(Killed + Timeout + Survived + NoCoverage, 1)
}

export function shownScore(folder, { counts }) {
  const { Killed, Timeout, Survived, NoCoverage, Ignored } = counts
  return `${folder}: ${scoreOf(counts).toFixed(1)} % (${Killed} killed, ${Timeout} timed out, ${Survived} survived, ${NoCoverage} not reached; ${Ignored} ignored)`
}

/** Groups of survivors, each with the reason why no test can tell them from the code. */
export function explained() {
  return JSON.parse(readFileSync(new URL('survivors.json', import.meta.url), 'utf8'))
}

/** Survivors of a report that no group has; a text that stands twice in a file is to be listed twice. */
export function unexplained({ survivors }) {
  const left = explained().flatMap(({ file, mutants }) => mutants.map((text) => `${file} ${text}`))
  return survivors.filter(({ file, text }) => {
    const at = left.indexOf(`${file} ${text}`)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}
