// SURVIVORS.md: scores of the last runs, and what survivors.json explains.
import { existsSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { folders } from './folders.mjs'
import { explained, readReport, scoreOf, unexplained } from './report.mjs'

const code = (text) => {
  const fence = text.includes('`') ? '``' : '`'
  return `${fence}${text.replaceAll('|', '\\|')}${fence}`
}

export function writePage() {
  const total = { Killed: 0, Timeout: 0, Survived: 0, NoCoverage: 0, Ignored: 0 }
  const rows = folders
    .filter((folder) => existsSync(fileURLToPath(new URL(`.tmp/${folder}.json`, import.meta.url))))
    .map((folder) => {
      const report = readReport(folder)
      for (const name of Object.keys(total)) total[name] += report.counts[name]
      return row(folder, report.counts, unexplained(report).length)
    })
  const missing = folders.filter((folder) => !existsSync(fileURLToPath(new URL(`.tmp/${folder}.json`, import.meta.url))))
  const groups = explained().map(({ file, why, mutants }) => `**\`${file}\`**: ${why}\n\n${mutants.map((text) => `- ${code(text)}`).join('\n')}\n`)
  writeFileSync(
    new URL('SURVIVORS.md', import.meta.url),
    `# Mutants that survive, and why

Made by \`npm run mutation -- --write\` from the last reports and \`survivors.json\`; not edited by hand.

Not mutated: the wording of messages (\`messages.mjs\`). Ignored beside them: mutants of code that runs only while modules load, such as tables.
Mutants that do not type-check count as any other. "Open" are survivors that nobody has explained or killed yet. Some of those are no gap of
the tests: the runner keeps modules, so what is compiled once for a schema of a test file (\`frozen\`) is not compiled again under the mutant.
The case files judge by one test each, and \`walk\` without its tiling of all cases: a full Vitest run kills more.

No whole report: ${missing.length > 0 ? missing.join(', ') : 'none is missing'}.

| folder | killed | timed out | survived | not reached | ignored | score | open |
| --- | --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
${row('**all**', total, '')}

## What no test can tell

A mutant is *equivalent* if the library does the same with it for every input: then no test can fail.

${groups.join('\n')}`,
  )
}

function row(name, counts, open) {
  const { Killed, Timeout, Survived, NoCoverage, Ignored } = counts
  return `| ${name} | ${Killed} | ${Timeout} | ${Survived} | ${NoCoverage} | ${Ignored} | ${scoreOf(counts).toFixed(1)} % | ${open} |`
}
