import { encodeDirectory, encodeFrame, k, tensor, type TensorInput } from 'kiln-format'

export const modelSchema = k.struct({ tensors: k.tensors, metadata: k.dict(k.string, k.string) })

export function modelFile(
  tensors: readonly TensorInput[],
  metadata: ReadonlyMap<string, string> = new Map(),
): Uint8Array {
  return encodeFrame(modelSchema, { tensors, metadata }, { schema: true })
}

export const grid = Float32Array.of(-1, 0, 1, NaN, Infinity, 0.5)

/** A few tensors of many dtypes, whose values are known. */
export function smallModel(): Uint8Array {
  return modelFile(
    [
      tensor('layers.0.weight', 'f32', [2, 3], grid),
      tensor('layers.0.bias', 'f16', [4], Uint16Array.of(0x3c00, 0xc000, 0x0001, 0x7e00)),
      tensor('layers.1.codes', 'e2m1', [2, 4], Uint8Array.of(0x21, 0x43, 0x65, 0x87), {
        scale: 'layers.1.scale',
        axis: 1,
        groupSize: 4,
      }),
      tensor('layers.1.scale', 'e8m0', [2, 1], Uint8Array.of(128, 126)),
      tensor('ids', 'i64', [3], BigInt64Array.of(9007199254740993n, -1n, 0n)),
      tensor(
        'cube',
        'u8',
        [2, 3, 4],
        Uint8Array.from({ length: 24 }, (_, i) => i),
      ),
    ],
    new Map([
      ['name', 'small'],
      ['license', 'Apache-2.0'],
      ['note', 'line one\nline two'],
    ]),
  )
}

export function manyTensors(count: number): Uint8Array {
  return encodeDirectory(
    Array.from({ length: count }, (_, i) =>
      tensor(`model.layers.${Math.floor(i / 10)}.part_${i % 10}`, 'u8', [i % 7], new Uint8Array(i % 7)),
    ),
  )
}
