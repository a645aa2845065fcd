import { buildGguf } from '../gguf/build.js'
import { buildNpy, headerOf } from '../npy/build.js'
import { buildZip } from '../npz/build.js'
import { hex } from './bytes.js'
import { field, initializer, modelProto, tensorProto } from './protobuf.js'
import { safetensors } from './safetensors.js'

const npy = buildNpy(headerOf('<i2', [3]), hex('0100 ffff 0080'))
const raw = tensorProto([2, 2], 2, 'raw', field(9, hex('01020304')))

/** A small file of each format, made here: for tests of all formats, whether fixtures are there or not. */
export const madeFiles: readonly { readonly format: string; readonly file: string; readonly bytes: Uint8Array }[] = [
  {
    format: 'safetensors',
    file: 'made.safetensors',
    bytes: safetensors(
      '{"__metadata__":{"format":"pt","é":"\\u0000"},"a":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},"n":{"dtype":"F4","shape":[4],"data_offsets":[8,10]}}',
      hex('0000803f 0000c07f 1234'),
    ),
  },
  {
    format: 'gguf',
    file: 'made.gguf',
    bytes: buildGguf(
      [
        { key: 'general.architecture', type: 'string', value: 'test' },
        { key: 'n', type: 'int64', value: -1n },
        { key: 'tokens', type: 'array', value: { itemType: 'string', items: ['a', 'ß', ''] } },
      ],
      [
        { name: 'a', ne: [3, 2], type: 0, offset: 0, payload: new Uint8Array(24).fill(1) },
        { name: 'b', ne: [32], type: 2, offset: 32, payload: new Uint8Array(18).fill(2) },
      ],
    ),
  },
  { format: 'npy', file: 'made.npy', bytes: npy },
  { format: 'npz', file: 'made.npz', bytes: buildZip([{ name: 'a.npy', data: npy }, { name: 'b.npy', data: npy, method: 8 }]) },
  { format: 'onnx', file: 'made.onnx', bytes: modelProto(initializer(raw)) },
  { format: 'onnx-tensorproto', file: 'made.pb', bytes: raw },
]
