const count = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',')

function cellOf({ passed, failed, error }) {
  if (error !== undefined) return 'does not run'
  return failed === 0 ? `all ${count(passed)}` : `**${count(failed)} of ${count(passed + failed)} fail**`
}

function filesOf({ cells }) {
  const told = cells.filter((cell) => 'passed' in cell)
  if (!told.some((cell) => 'files' in cell || cell.inProcess)) return ''
  return told.every((cell) => cell.files === undefined) ? 'yes' : '**no**'
}

function rowOf(row) {
  if (row.absent !== undefined) return `| ${row.name} | not run: ${row.absent} | | | | | |`
  return `| ${[row.name, row.version, ...row.cells.map(cellOf), filesOf(row)].join(' | ')} |`
}

/** The page of the docs. */
export function pageOf(rows) {
  return `# Where it runs

This page is made by \`npm run runtimes\`: the built files of \`kiln-format\` run every case of \`spec/*-cases.json\`, through every reader and
writer that the library has, and three checks of \`kiln-format/numeric\` over all codes of f16.

| runtime | version | as it comes | no \`eval\`, no \`Function\` | no \`Float16Array\` | another \`Float16Array\` | \`kiln-format/node\` |
| --- | --- | --- | --- | --- | --- | --- |
${rows.map(rowOf).join('\n')}

- *No \`eval\`, no \`Function\`*: both, and the constructors of async functions and generators, throw before the library is loaded.
- *No \`Float16Array\`*: it is deleted, where a runtime has one (Node 24 and later, Deno, Bun, Chromium). *Another*: one in JavaScript is put
  in its place, with NaNs of its own.
- *A page*: under \`default-src 'none'; script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'\`;
  the run first checks that the policy is in force. *A Worker*: a module Worker under the same policy.
- *\`kiln-format/node\`*: a file is written whole, opened by position, and a tensor of it read.

No big-endian machine or emulator of one is at hand, so none is in the table. The library has code for them (\`ALIGN\` says that
a borrow isn't possible there, \`copy\` and \`load\` swap), of which no run here shows that it works.
`
}
