// npm test, here: the model gets it right, from a folder and from a server alike.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

test('over 90 % right from the folder, and exactly the same from nginx', async () => {
  // It leaves one of its loops early. That it ends at all shows that the threads of that loop did.
  const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(new URL('main.mjs', import.meta.url))])
  console.log(stdout)
  const [folder = '', server = ''] = stdout.split('from nginx, by ranges\n')
  const epochs = (/** @type {string} */ text) => text.split('\n').filter((line) => line.startsWith('epoch '))
  assert.equal(epochs(folder).length, 6)
  assert.ok(Number(/([\d.]+) % of/.exec(epochs(folder).at(-1) ?? '')?.[1]) > 90)
  assert.deepEqual(epochs(server), epochs(folder))
  const [, ranges, all] = /(\d+) of (\d+) requests/.exec(server) ?? []
  assert.equal(ranges, all)
})
