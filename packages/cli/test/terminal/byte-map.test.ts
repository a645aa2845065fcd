import { encodeFrame, formatHash, k } from 'kiln-format'
import { walk } from 'kiln-format/walk'
import { expect, test } from 'vitest'
import { byteMapLines } from '../../src/terminal/byte-map.js'

async function linesOf(bytes: Uint8Array, rules = false): Promise<string[]> {
  const lines: string[] = []
  for await (const line of byteMapLines(walk(bytes), bytes.length, rules)) lines.push(line)
  return lines
}

const schema = k.struct({ n: k.u16, text: k.string, xs: k.list(k.f32) })

test('a line a span, with what its bytes say', async () => {
  const bytes = encodeFrame(schema, { n: 7, text: 'a\u001b[31m', xs: [1, -0] }, { schema: true })
  expect(await linesOf(bytes)).toEqual([
    'offset  length  kind          what',
    '000000       4  frame-header  frame.magic  ASCII  "KILF"',
    '000004       1  frame-header  frame.version  u8  1',
    '000005       1  frame-header  frame.flags  u8  1',
    '000006       2  frame-header  frame.reserved  u16  0',
    '000008       4  frame-header  frame.header_size  u32  128',
    '00000c       4  frame-header  frame.checksum  crc32  "0x00000000"',
    '000010       8  frame-header  frame.schema_hash  hash  ' + JSON.stringify(formatHash(schema.hash)),
    '000018       8  frame-header  frame.body_length  u64  24',
    '000020      39  schema-text   frame.schema  "struct{n:u16,text:string,xs:list<f32>,}"',
    '000047      57  padding       frame',
    '000080       2  value         n  u16  7',
    '000082       4  length        text  u32  6',
    '000086       6  value         text  string  "a\\u001b[31m"',
    '00008c       4  count         xs  u32  2',
    '000090       8  value         xs  list<f32>  [1, -0]',
  ])
})

test('a fault has its code and its byte, and with rules the rule', async () => {
  const bytes = encodeFrame(schema, { n: 7, text: '', xs: [] }, { schema: true })
  bytes[4] = 9
  expect(await linesOf(bytes, true)).toEqual([
    'offset  length  kind          what',
    '000000       4  frame-header  frame.magic  ASCII  "KILF"  (§6 Frame header: the four bytes KILF)',
    '000004       1  error         frame.version: FRAME at byte 4: frame version 9; this library reads version 1' +
      '  (§6 Frame header: version 1)',
    '000005     133  rest            (not read: a check before it failed)',
  ])
})
