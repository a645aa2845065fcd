import {
  encode, encodeDirectory, encodedSize, encodeFrame, encodeFrameParts, encodeInto, encodeParts, k, MessageWriter, type Schema, type TensorInput,
} from 'kiln-format'
import { hexOf } from '../notation/hex.js'
import { valueOfNotation } from '../notation/read.js'
import type { BytesCase } from './case.js'
import { reportBytes, type Report } from './check-bytes.js'
import { outcomeOf } from './outcome.js'

const SLACK = 5

/** `encodeInto` an odd place of a larger buffer: the bytes written, and nothing outside of them. */
function writtenInto(schema: Schema, value: unknown, size: number): string {
  const buffer = new Uint8Array(SLACK + size + SLACK).fill(0xa5)
  const length = encodeInto(schema, value, buffer.subarray(SLACK, SLACK + size))
  const outside = [...buffer.subarray(0, SLACK), ...buffer.subarray(SLACK + size)]
  if (outside.some((byte) => byte !== 0xa5)) return 'bytes outside the target were written'
  return hexOf(buffer.subarray(SLACK, SLACK + length))
}

/** The second message of a writer, in the memory of the first. */
function rewritten(schema: Schema, value: unknown): string {
  const writer = new MessageWriter()
  writer.encode(k.string, 'a message before')
  return hexOf(writer.encode(schema, value))
}

function joined(parts: readonly Uint8Array[]): string {
  return parts.map(hexOf).join('')
}

/**
 * Every writer of a body. A canonical case's value makes exactly its bytes; of any value the size said beforehand
 * is the size written.
 */
export async function checkWriters(subject: BytesCase, schema: Schema, json: unknown, report: Report): Promise<void> {
  const value = await outcomeOf(() => valueOfNotation(schema, json))
  if ('error' in value) {
    report({ check: 'the value in the notation', expected: 'a value of the schema', came: value.error })
    return
  }
  const size = await outcomeOf(() => encodedSize(schema, value.value))
  const encoded = await outcomeOf(() => hexOf(encode(schema, value.value)))
  const length = 'value' in encoded ? (encoded.value as string).length / 2 : encoded.error
  if (!('value' in size) || size.value !== length) {
    report({ check: 'encodedSize', expected: `${length} bytes, as encode writes`, came: 'value' in size ? `${String(size.value)} bytes` : size.error })
    return
  }
  // What is not canonical is written canonically, which the case doesn't show; all writers agree all the same.
  const hex = subject.canonical ? hexOf(subject.bytes) : (encoded as { value: string }).value
  reportBytes('encode', hex, encoded, report)
  reportBytes('encodeInto', hex, await outcomeOf(() => writtenInto(schema, value.value, length as number)), report)
  reportBytes('encodeParts', hex, await outcomeOf(() => joined(encodeParts(schema, value.value))), report)
  reportBytes('MessageWriter', hex, await outcomeOf(() => rewritten(schema, value.value)), report)
  if (schema === k.tensors) {
    reportBytes('encodeDirectory', hex, await outcomeOf(() => hexOf(encodeDirectory(value.value as TensorInput[]))), report)
  }
}

/** Every writer of a frame, with the flags of the case. */
export async function checkFrameWriters(subject: BytesCase, schema: Schema, json: unknown, report: Report): Promise<void> {
  const value = await outcomeOf(() => valueOfNotation(schema, json))
  if ('error' in value) {
    report({ check: 'the value in the notation', expected: 'a value of the schema', came: value.error })
    return
  }
  const flags = subject.flags ?? 0
  const options = { schema: flags % 2 === 1, checksum: flags >= 2 }
  const encoded = await outcomeOf(() => hexOf(encodeFrame(schema, value.value, options)))
  const parts = await outcomeOf(() => joined(encodeFrameParts(schema, value.value, options)))
  const hex = subject.canonical ? hexOf(subject.bytes) : 'value' in encoded ? (encoded.value as string) : encoded.error
  reportBytes('encodeFrame', hex, encoded, report)
  reportBytes('encodeFrameParts', hex, parts, report)
  const body = await outcomeOf(() => encodedSize(schema, value.value))
  const header = new DataView(subject.bytes.buffer).getUint32(8, true)
  if (!('value' in body) || header + (body.value as number) !== hex.length / 2) {
    report({ check: 'encodedSize', expected: `${hex.length / 2 - header} bytes of body`, came: 'value' in body ? `${String(body.value)} bytes` : body.error })
  }
}
