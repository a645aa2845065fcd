import { openSafetensors } from 'kiln-convert'
import { open } from 'kiln-format'
import { openFile } from 'kiln-format/node'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 180_000 })

const made = (name: string): string => fileURLToPath(new URL(`.tmp/${name}`, import.meta.url))
let printed: string
beforeAll(async () => {
  const main = fileURLToPath(new URL('main.mjs', import.meta.url))
  printed = (await promisify(execFile)(process.execPath, [main])).stdout
}, 180_000)

async function floats(file: string, name: string): Promise<Float32Array> {
  await using source = await openFile(made(file))
  const model = await openSafetensors(source)
  const pieces: Uint8Array[] = []
  for await (const piece of model.tensors.find((tensor) => tensor.name === name)!.chunks()) pieces.push(piece.slice())
  return new Float32Array(new Uint8Array(Buffer.concat(pieces)).buffer)
}

test('the table is what it is: weights, formats and roundings are all given', () => {
  expect(printed).toBe(`weights.safetensors: 721,472 bytes, 69 tensors

format       bytes  mean error  of deviation  largest error
int8:128   209,834     0.00167        0.44 %         0.0187
nvfp4      131,374     0.02388        6.20 %         0.7855
mxfp4      120,314     0.02972        7.72 %         0.7508

MXFP4, the layers that it hurts most
elements     mean error  of deviation  largest error
    1,024        0.02594        9.50 %         0.2603  model.encoder.7.0.pw_conv.0.weight
    2,048        0.01677        9.13 %         0.2224  model.encoder.11.0.pw_conv.0.weight
      512        0.02938        9.06 %         0.1630  model.encoder.3.0.pw_conv.0.weight
      512        0.01639        8.94 %         0.1162  model_8k.encoder.3.0.proj.weight
    1,024        0.01648        8.78 %         0.1249  model_8k.encoder.7.0.pw_conv.0.weight
    1,290        0.04370        8.75 %         0.4475  model_8k.first_layer.0.dw_conv.0.weight
      512        0.01865        8.67 %         0.1537  model.encoder.3.0.proj.weight
    1,024        0.02410        8.65 %         0.2493  1113
`)
})

test('a layer in the model file is MXFP4 along the dimension that fills groups, and a bias is as it was', async () => {
  await using model = await open(await openFile(made('mxfp4.kiln')))
  expect(model.get('model.first_layer.0.dw_conv.0.weight')).toMatchObject({ dtype: 'e2m1', shape: [258, 1, 5], axis: 0, groupSize: 32 })
  expect(model.get('model.first_layer.0.dw_conv.0.weight').scale).toMatchObject({ dtype: 'e8m0', shape: [9, 1, 5] })
  expect(model.get('model.first_layer.0.pw_conv.0.weight')).toMatchObject({ dtype: 'e2m1', shape: [16, 258, 1], axis: 1 })
  const name = 'model.first_layer.0.dw_conv.0.bias'
  expect((await model.load(name)).copy('f32')).toEqual(await floats('weights.safetensors', name))
})

// The rule of MXFP4 by its definition: no code of the library's.
const GRID = [0, 0.5, 1, 1.5, 2, 3, 4, 6]
function mxfp4(group: readonly number[]): number[] {
  const greatest = Math.max(...group.map(Math.abs))
  const scale = greatest === 0 ? 2 ** -127 : 2 ** (Math.floor(Math.log2(greatest)) - 2)
  return group.map((value) => {
    const wanted = Math.abs(value) / scale
    // Of two that are as near the one with the even code, which stands at an even place.
    const nearest = GRID.map((number, code) => ({ number, apart: Math.abs(number - wanted), odd: code % 2 }))
      .sort((a, b) => a.apart - b.apart || a.odd - b.odd)[0]!
    return Math.sign(value) * nearest.number * scale
  })
}

describe('what came back from MXFP4 is, number by number, what the definition says', () => {
  test.each([
    ['model.feature_extractor.forward_basis_buffer', 258, 256, 1],
    ['model.first_layer.0.pw_conv.0.weight', 16, 258, 1],
    ['model.first_layer.0.dw_conv.0.weight', 1, 258, 5],
  ])('%s', async (name, rows, along, stride) => {
    const before = await floats('weights.safetensors', name)
    const after = await floats('mxfp4.safetensors', name)
    expect(before).toHaveLength(rows * along * stride)
    const expected = new Float32Array(before.length)
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < stride; column++) {
        for (let first = 0; first < along; first += 32) {
          const places = Array.from({ length: Math.min(32, along - first) }, (_, i) => (row * along + first + i) * stride + column)
          mxfp4(places.map((place) => before[place]!)).forEach((value, i) => (expected[places[i]!] = value))
        }
      }
    }
    // As numbers: a zero that was negative is so still, which the definition above doesn't say.
    expect(after.findIndex((value, i) => value !== expected[i])).toBe(-1)
  })
})
