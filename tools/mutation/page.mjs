// SURVIVORS.md: the scores of all folders, and what survivors.json explains.
import { writeFileSync } from 'node:fs'
import { explained, scoreOf } from './report.mjs'
import { allScores } from './scores.mjs'

const code = (text) => {
  const fence = text.includes('`') ? '``' : '`'
  return `${fence}${text.replaceAll('|', '\\|')}${fence}`
}

const listOf = (texts) => texts.map((text) => `- ${code(text)}`).join('\n')

export function writePage() {
  const total = { Killed: 0, Timeout: 0, Survived: 0, NoCoverage: 0, Ignored: 0 }
  const scores = allScores()
  const rows = scores.map(({ folder, counts, missing, open }) => {
    for (const name of Object.keys(total)) total[name] += counts[name]
    return row(missing.length > 0 ? `${folder} (incomplete)` : folder, counts, open.length)
  })
  const every = (name) => scores.flatMap((entry) => entry[name])
  const groups = explained().map(({ file, why, mutants }) => `**\`${file}\`**: ${why}\n\n${listOf(mutants)}\n`)
  writeFileSync(
    new URL('SURVIVORS.md', import.meta.url),
    `# Mutants that survive, and why

Made by \`npm run mutation -- --write\` from \`scores/\` and \`survivors.json\`; not edited by hand.

Not mutated: the wording of messages (\`messages.mjs\`). Ignored beside them: mutants of code that runs only while modules load, such as tables.
Mutants that do not type-check count as any other. "Open" are survivors that nobody has explained or killed yet.
The case files judge by one test each, and \`walk\` without its tiling of all cases: a full Vitest run kills more.

| folder | killed | timed out | survived | not reached | ignored | score | open |
| --- | --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
${row('**all**', total, every('open').length)}
${section('Never measured', every('missing'))}${section('Changed since they were measured', every('changed'))}${section('Open', every('open'))}
## What no test can tell

A mutant is *equivalent* if the library does the same with it for every input: then no test can fail.

${groups.join('\n')}`,
  )
}

function section(title, texts) {
  return texts.length > 0 ? `\n## ${title}\n\n${listOf(texts)}\n` : ''
}

function row(name, counts, open) {
  const { Killed, Timeout, Survived, NoCoverage, Ignored } = counts
  return `| ${name} | ${Killed} | ${Timeout} | ${Survived} | ${NoCoverage} | ${Ignored} | ${scoreOf(counts).toFixed(1)} % | ${open} |`
}
