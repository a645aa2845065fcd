import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { encodeFrame, k, tensor, encodeDirectory } from 'kiln-format'
import { expect, test } from 'vitest'
import { ADVICE, onCommandLine } from '../../src/terminal/advice.js'
import { temporaryFolder } from '../support/folder.js'
import { kiln } from '../support/in-process.js'

const inFolder = temporaryFolder()
const put = (name: string, bytes: Uint8Array): string => {
  writeFileSync(inFolder(name), bytes)
  return inFolder(name)
}

test.each([
  ['write its bits as unsigned integers with the option raw', 'write its bits as unsigned integers with --bits'],
  ['or open it with the option alone', 'or open it with --alone'],
  ['an initializer of a graph inside a node; the option subgraphs takes those too', 'an initializer of a graph inside a node; --subgraphs takes those too'],
  ['convert the model anew, or read it as it is with the option version1', 'convert the model anew'],
  ['which doesn\'t begin with tensors; decodeFrame or framesOf reads it', 'which doesn\'t begin with tensors; kiln decode shows it'],
  ['9 bytes follow the frame; framesOf goes through one frame after the other', '9 bytes follow the frame; kiln decode shows them all'],
  ['none was given; give the one with hash 0x00ff', 'none was given; kiln decode, inspect and verify take the one with hash 0x00ff by --schema'],
  ["give { headers: { Authorization: 'Basic …' } }", "give --header 'Authorization: Basic …'"],
  ['over the cap of 5; raise limits.count if they are meant', 'over the cap of 5; a program that uses the library can raise limits.count if they are meant'],
  ['"with the option raw" is a name', '"with the option raw" is a name'],
])('%s', (library, command) => {
  expect(onCommandLine(library)).toBe(command)
})

test('the library says each of these, so that none is left over', () => {
  const sources = ['kiln', 'convert'].flatMap((name) => {
    const folder = fileURLToPath(new URL(`../../../${name}/src/`, import.meta.url))
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts')).map((file) => readFileSync(folder + file, 'utf8'))
  })
  const phrases = ['with the option raw\'', 'with the option alone', 'the option subgraphs', ', or read it as it is with the option version1\'',
    'decodeFrame or framesOf reads it`', 'framesOf goes through one frame after the other`', 'give the one with hash ${', 'give { headers: { Authorization: \'Basic …\' } }', 'raise limits.']
  expect(ADVICE).toHaveLength(phrases.length)
  for (const phrase of phrases) expect(sources.some((text) => text.replaceAll('\\\'', '\'').includes(phrase)), phrase).toBe(true)
})

test('what is advised can be done', async () => {
  const bf16 = put('bf16.kiln', encodeDirectory([tensor('w', 'bf16', [1], Uint16Array.of(0x3f80))]))
  const { stderr } = await kiln(['convert', bf16, inFolder('w.npy')])
  expect(stderr).toMatch(/write its bits as unsigned integers with --bits\n$/)
  expect((await kiln(['convert', bf16, inFolder('w.npy'), '--bits'])).code).toBe(0)

  const Row = k.struct({ id: k.u32 })
  const bare = put('bare.kiln', encodeFrame(Row, { id: 7 }))
  expect((await kiln(['stats', bare])).stderr).toMatch(/kiln decode, inspect and verify take the one with hash 0x[0-9a-f]{16} by --schema\n$/)
  for (const command of ['decode', 'inspect', 'verify']) expect((await kiln([command, bare, '--schema', Row.text])).code, command).toBe(0)

  const two = put('two.kiln', Buffer.concat([encodeFrame(Row, { id: 7 }, { schema: true }), encodeFrame(Row, { id: 8 })]))
  const failed = await kiln(['meta', 'get', '--json', two])
  expect((JSON.parse(failed.stdout) as { error: { message: string } }).error.message).toMatch(/doesn't begin with tensors; kiln decode shows it$/)
})
