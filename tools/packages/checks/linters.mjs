import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { here } from '../paths.mjs'
import { expectNone } from '../report.mjs'
import { runProgram } from '../run-program.mjs'

const attw = join(here, 'node_modules/@arethetypeswrong/cli/dist/index.js')

const profile = ['--profile', 'esm-only', '--no-color', '--no-emoji', '--no-definitely-typed', '--format', 'ascii']

/** publint on every package, arethetypeswrong on those that are imported. */
export async function checkLinters(report, packed) {
  for (const { name, manifest, tarball } of packed) {
    await report.check(`${name}: publint, strict`, async () => {
      const { buffer, byteOffset, byteLength } = readFileSync(tarball)
      const { messages } = await publint({
        strict: true,
        pack: { tarball: buffer.slice(byteOffset, byteOffset + byteLength) },
      })
      expectNone(messages.map((message) => `${message.type}: ${formatMessage(message, manifest, { color: false })}`))
    })
    if (manifest.exports['.'] === undefined) continue
    // Only ESM is published: resolution as in Node 10, and types for CommonJS, are none of its promises.
    await report.check(`${name}: arethetypeswrong, profile esm-only`, async () => {
      await runProgram(process.execPath, [attw, tarball, ...profile], here)
    })
  }
}
