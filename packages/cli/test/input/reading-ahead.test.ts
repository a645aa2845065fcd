import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bytesSource, encodeFrame, k, type ByteSource } from 'kiln-format'
import { expect, test } from 'vitest'
import { readingAhead } from '../../src/input/reading-ahead.js'
import { kiln } from '../support/in-process.js'

const KIB = 1024

test('small reads are answered out of what was read ahead, large ones and wrong ones go through', async () => {
  const bytes = Uint8Array.from({ length: 200 * KIB }, (_, i) => (i * 7) % 251)
  const inner = bytesSource(bytes)
  const asked: string[] = []
  const counted: ByteSource = {
    size: inner.size,
    label: 'counted',
    read(offset, length) {
      asked.push(`${offset}+${length}`)
      return inner.read(offset, length)
    },
  }
  const ahead = readingAhead(counted)
  expect([ahead.size, ahead.label]).toEqual([200 * KIB, 'counted'])
  const reads = [[10, 4], [12, 64 * KIB - 2], [12, 64 * KIB - 1], [9, 1], [0, 64 * KIB], [200 * KIB - 5, 5], [200 * KIB - 5, 0]] as const
  for (const [offset, length] of reads) expect(await ahead.read(offset, length)).toEqual(bytes.subarray(offset, offset + length))
  await expect(ahead.read(200 * KIB - 5, 6)).rejects.toMatchObject({ code: 'EOF' })
  expect(asked).toEqual(['10+65536', '12+65536', '9+65536', '0+65536', '204795+5', '204795+6'])
})

test('a thousand frames behind a URL are a few requests', async () => {
  const Row = k.struct({ id: k.u32, vector: k.list(k.f32) })
  const file = Buffer.concat(Array.from({ length: 1000 }, (_, id) => encodeFrame(Row, { id, vector: new Float32Array(100) }, { schema: id === 0 })))
  let requests = 0
  const server = createServer((request, response) => {
    requests++
    const [, from, to] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '')!
    const end = Math.min(Number(to) + 1, file.length)
    response.writeHead(206, { 'Content-Range': `bytes ${from}-${end - 1}/${file.length}` }).end(file.subarray(Number(from), end))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  try {
    for (const command of ['inspect', 'verify']) {
      requests = 0
      const { code } = await kiln([command, `http://127.0.0.1:${(server.address() as AddressInfo).port}/log.kiln`])
      // The first 192 KiB come with the first request, the rest in pieces of 64 KiB.
      expect({ command, code, few: requests <= 1 + Math.ceil(file.length / (64 * KIB)) }).toEqual({ command, code: 0, few: true })
    }
  } finally {
    server.close()
  }
})
