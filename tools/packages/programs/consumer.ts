import {
  bytesSource,
  decode,
  encode,
  encodeDirectory,
  isKilnError,
  k,
  open,
  readDirectory,
  readFrames,
  tensor,
  urlSource,
  view,
  type ByteSource,
  type Infer,
  type KilnErrorCode,
  type Tensor,
} from 'kiln-format'
import { openForeign, type ForeignModel } from 'kiln-convert'
import { allocations } from 'kiln-format/debug'
import { narrow, quantize, widen } from 'kiln-format/numeric'
import * as runtime from 'kiln-format/runtime'
import * as walk from 'kiln-format/walk'

const Point = k.struct({ name: k.string, at: k.list(k.f32), id: k.u64, maybe: k.option(k.bool) })
type Point = Infer<typeof Point>

const point: Point = decode(Point, encode(Point, { name: 'a', at: [1, 2], id: 1n, maybe: undefined }))
export const name: string = point.name
export const at: Float32Array = point.at
export const id: bigint = point.id
export const maybe: boolean | undefined = point.maybe ?? undefined
export const count: number = view(Point, new Uint8Array(0)).at.length

// Types that turned into `any` would take these.
// @ts-expect-error no such field
export const missing = point.elsewhere
// @ts-expect-error a string, not a number
export const wrong: number = point.name
// @ts-expect-error the struct wants all its fields
encode(Point, { name: 'a' })
// @ts-expect-error no such dtype
tensor('w', 'f7', [1], new Uint8Array(1))
// @ts-expect-error no such code
export const code: KilnErrorCode = 'NOT_A_CODE'

const block: Uint8Array = encodeDirectory([tensor('w', 'bf16', [2], Uint16Array.of(1, 2))])
const w: Tensor = readDirectory(block).get('w')
export const numbers: Float32Array | Float64Array = widen(w)
export const bytes: Uint8Array = narrow(numbers, 'f16', { mode: 'saturate' })
export const source: ByteSource = bytesSource(block)

export async function all(): Promise<ForeignModel> {
  await open(source)
  for await (const frame of readFrames([block], Point)) frame.value.name.toUpperCase()
  try {
    await urlSource('')
  } catch (error) {
    if (isKilnError(error)) error.code satisfies KilnErrorCode
  }
  return openForeign(source)
}

export { allocations, quantize, runtime, walk }
