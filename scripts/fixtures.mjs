// A table with one row a fixture file of a tensor format: what it gives, compared to what it should.
// Uses the built packages (npm run build). Ends with 1 if a file gives something else than expected.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as convert from 'kiln-convert'
import { checkFixtures } from './fixtures/check.mjs'

const shared = process.env.KILN_SHARED ?? fileURLToPath(new URL('../../shared', import.meta.url))

if (!existsSync(`${shared}/fixtures`)) {
  console.error(`fixtures: there is no folder ${shared}/fixtures; set KILN_SHARED to the folder that holds it`)
  process.exitCode = 2
} else {
  const rows = await checkFixtures(`${shared}/fixtures`, convert)
  const head = { file: 'file', format: 'format', tensors: 'tensors', result: 'result' }
  const width = (key) => Math.max(...[head, ...rows].map((row) => String(row[key]).length))
  const widths = { file: width('file'), format: width('format'), tensors: width('tensors') }
  for (const row of [head, ...rows]) {
    const tensors = String(row.tensors).padStart(widths.tensors)
    const result = row.ok && row.result.length > 100 ? `${row.result.slice(0, 97)}...` : row.result
    console.log(`${row.file.padEnd(widths.file)}  ${row.format.padEnd(widths.format)}  ${tensors}  ${result}`)
  }
  const wrong = rows.filter((row) => !row.ok).length
  const exact = rows.filter((row) => row.ok && row.result.startsWith('exact')).length
  const refused = rows.filter((row) => row.ok && row.result.startsWith('refused')).length
  const parts = rows.length - exact - refused - wrong
  console.log(`\n${rows.length} files: ${exact} exact, ${refused} refused as they should be`)
  console.log(`${parts} part of another file, ${wrong} wrong`)
  process.exitCode = wrong === 0 ? 0 : 1
}
