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

/** What the last run found, source file by source file: of a slice, the files that the glob names. */
export function readReport(folder) {
  const { files } = JSON.parse(readFileSync(new URL(`.tmp/${folder}/report.json`, import.meta.url), 'utf8'))
  return Object.entries(files).map(([path, { source, mutants }]) => {
    const lines = source.split('\n')
    const counts = { Killed: 0, Timeout: 0, Survived: 0, NoCoverage: 0, Ignored: 0 }
    const survivors = []
    for (const { status, location, replacement } of mutants) {
      counts[status] = (counts[status] ?? 0) + 1
      if (status !== 'Survived' && status !== 'NoCoverage') continue
      survivors.push({ line: location.start.line, status, text: `${oneLine(between(lines, location))} → ${oneLine(replacement)}` })
    }
    survivors.sort((a, b) => a.line - b.line)
    return { file: path.replace('packages/kiln/src/', ''), counts, survivors }
  })
}

export function scoreOf({ Killed, Timeout, Survived, NoCoverage }) {
  return (100 * (Killed + Timeout)) / Math.max(Killed + Timeout + Survived + NoCoverage, 1)
}

export function shownScore(folder, counts) {
  const { Killed, Timeout, Survived, NoCoverage, Ignored } = counts
  return `${folder}: ${scoreOf(counts).toFixed(1)} % (${Killed} killed, ${Timeout} timed out, ${Survived} survived, ${NoCoverage} not reached; ${Ignored} ignored)`
}

/** Groups of survivors, each with the reason why no test can tell them from the code. */
export function explained() {
  return JSON.parse(readFileSync(new URL('survivors.json', import.meta.url), 'utf8'))
}

/** Survivors of a file that no group has, and what groups have of it that did not survive. A text that stands twice in a file is to be listed twice. */
export function compare({ file, survivors }) {
  const stale = explained().flatMap((group) => (group.file === file ? group.mutants : []))
  const open = survivors.filter(({ text }) => {
    const at = stale.indexOf(text)
    if (at >= 0) stale.splice(at, 1)
    return at < 0
  })
  return { open, stale }
}
