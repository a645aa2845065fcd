import { expectTypeOf, test } from 'vitest'
import {
  decode, decodeFrame, encode, k, parseSchema, view, type Directory, type Infer, type Input, type NumberList, type TensorInput,
} from 'kiln-format'

const Request = k.struct({
  prompt: k.tensors,
  id: k.i64,
  model: k.string,
  temperature: k.f32,
  stop: k.list(k.string),
  flags: k.list(k.bool),
  ids: k.list(k.u64),
  tags: k.dict(k.string, k.list(k.f32)),
  seed: k.option(k.u32),
  nested: k.list(k.struct({ half: k.f16, blob: k.bytes })),
})

interface RequestValue {
  prompt: Directory
  id: bigint
  model: string
  temperature: number
  stop: string[]
  flags: boolean[]
  ids: BigUint64Array<ArrayBuffer>
  tags: Map<string, Float32Array<ArrayBuffer>>
  seed: number | undefined
  nested: { half: number; blob: Uint8Array<ArrayBuffer> }[]
}

test('Infer is what decode gives', () => {
  expectTypeOf<Infer<typeof Request>>().toEqualTypeOf<RequestValue>()
  const read = (bytes: Uint8Array) => decode(Request, bytes)
  expectTypeOf(read).returns.toEqualTypeOf<RequestValue>()
  expectTypeOf<Infer<typeof Request, 'number'>['id']>().toEqualTypeOf<number>()
  expectTypeOf<Infer<typeof Request, 'number'>['ids']>().toEqualTypeOf<BigUint64Array<ArrayBuffer>>()
})

test('a literal text infers the same type as the builders', () => {
  const _Parsed = parseSchema(
    'struct{prompt:tensors,id:i64,model:string,temperature:f32,stop:list<string>,flags:list<bool>,ids:list<u64>,tags:dict<string,list<f32>>,seed:option<u32>,nested:list<struct{half:f16,blob:bytes,}>,}',
  )
  expectTypeOf<Infer<typeof _Parsed>>().toEqualTypeOf<RequestValue>()
  const _spaced = parseSchema('struct { id : i64 , tags : dict < string , list<f32> > , seed: option<u8> }')
  expectTypeOf<Infer<typeof _spaced>>().toEqualTypeOf<{ id: bigint; tags: Map<string, Float32Array<ArrayBuffer>>; seed: number | undefined }>()
  const _unknownText = parseSchema('u8' as string)
  expectTypeOf<Infer<typeof _unknownText>>().toEqualTypeOf<unknown>()
})

test('Input takes what people have', () => {
  type In = Input<typeof Request>
  expectTypeOf<{
    prompt: TensorInput[]
    id: number
    model: string
    temperature: number
    stop: string[]
    flags: boolean[]
    ids: number[]
    tags: { a: number[] }
    nested: { half: number; blob: ArrayBuffer }[]
  }>().toExtend<In>()
  expectTypeOf<RequestValue>().toExtend<In>()
  expectTypeOf<{ id: string }>().not.toExtend<In>()
  expectTypeOf<Input<typeof Request>['seed']>().toEqualTypeOf<number | null | undefined>()
})

test('a view has borrowed lists, and frames are typed by their schema', () => {
  const seen = view(k.struct({ a: k.list(k.f32), b: k.bytes }), encode(k.struct({ a: k.list(k.f32), b: k.bytes }), { a: [1], b: new Uint8Array(1) }))
  expectTypeOf(seen.a).toEqualTypeOf<NumberList<'f32'>>()
  expectTypeOf(seen.a.at(0)).toEqualTypeOf<number>()
  expectTypeOf(seen.a.copy()).toEqualTypeOf<Float32Array<ArrayBuffer>>()
  expectTypeOf(seen.b).toEqualTypeOf<Uint8Array>()
  const readFrame = (bytes: Uint8Array) => decodeFrame(bytes, Request).value
  expectTypeOf(readFrame).returns.toEqualTypeOf<RequestValue>()
})

test('bytes that come out fit where the platform wants memory of its own', () => {
  expectTypeOf(encode(k.u8, 1)).toEqualTypeOf<Uint8Array<ArrayBuffer>>()
  expectTypeOf(new Response(encode(k.u8, 1))).toEqualTypeOf<Response>()
})
