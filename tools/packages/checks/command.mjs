import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { manifestOf } from '../paths.mjs'
import { runProgram } from '../run-program.mjs'

/** The command as it is after `npm install kiln-cli`. */
export async function checkCommand(report, project) {
  const kiln = (...args) => runProgram('npx', ['--no-install', 'kiln', ...args], project)
  await report.check('npx kiln --version', async () => {
    const printed = (await kiln('--version')).trim()
    if (printed !== manifestOf('kiln-cli').version) throw new Error(`printed ${printed}`)
    return printed
  })
  await report.check('npx kiln inspect', async () => {
    const { encodeDirectory, tensor } = await import(
      pathToFileURL(join(project, 'node_modules/kiln-format/dist/index.js')).href
    )
    writeFileSync(
      join(project, 'a.kiln'),
      encodeDirectory([tensor('blocks.0.weight', 'f32', [2], Float32Array.of(1, 2))]),
    )
    const printed = await kiln('inspect', 'a.kiln')
    if (!printed.includes('blocks.0.weight') || !printed.includes('f32')) throw new Error(`printed ${printed}`)
    return `${printed.trim().split('\n').length} lines`
  })
  await report.check('npx kiln convert, verify', async () => {
    await kiln('convert', '-q', 'a.kiln', 'a.safetensors')
    await kiln('convert', '-q', 'a.safetensors', 'b.kiln')
    await kiln('verify', 'b.kiln')
  })
}
