import type { StandardSchemaV1 } from '@standard-schema/spec'
import { expect, expectTypeOf, test } from 'vitest'
import { compile, k, type Infer, type Input } from 'kiln-format'

const User = k.struct({ id: k.i64, tags: k.dict(k.string, k.list(k.u8)), nick: k.option(k.string) })
const face = compile(User)['~standard']

test('a compiled schema is a Standard Schema to the specification\'s own types', () => {
  const standard: StandardSchemaV1<Input<typeof User>, Infer<typeof User>> = compile(User)
  expectTypeOf<StandardSchemaV1.InferInput<typeof standard>>().toEqualTypeOf<Input<typeof User>>()
  expectTypeOf<StandardSchemaV1.InferOutput<typeof standard>>().toEqualTypeOf<Infer<typeof User>>()
  expect(Object.keys(standard['~standard'])).toEqual(['version', 'vendor', 'validate'])
  expect([face.version, face.vendor]).toEqual([1, 'kiln-format'])
})

test('a value comes back as decode would give it, without what the schema does not name', () => {
  expect(face.validate({ id: 5, tags: { a: [1, 2] }, more: 1 })).toEqual({
    value: { id: 5n, tags: new Map([['a', Uint8Array.of(1, 2)]]), nick: undefined },
  })
})

test('nothing of the result is shared with what was given', () => {
  const bytes = Uint8Array.of(1, 2, 3)
  const result = compile(k.list(k.u8))['~standard'].validate(bytes)
  bytes[0] = 9
  expect(result).toEqual({ value: Uint8Array.of(1, 2, 3) })
})

test('an issue has the message, and the path as its steps', () => {
  expect(face.validate({ id: 1n, tags: new Map([['a.b', [1, 256]]]) })).toEqual({
    issues: [{ message: 'TYPE: u8 takes an integer from 0 to 255, got 256', path: ['tags', { key: 'a.b' }, 1] }],
  })
  expect(face.validate('text')).toMatchObject({ issues: [{ path: [] }] })
  expect(face.validate({ id: 1n, tags: {}, nick: '\ud800' })).toMatchObject({ issues: [{ path: ['nick'] }] })
})

test('what a getter throws is the caller\'s own', () => {
  const value = { get id(): bigint { throw new RangeError('mine') } }
  expect(() => face.validate(value)).toThrow(RangeError)
})
