import { folderOf, openOnnx, openTensorProto } from 'kiln-convert'
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { Sha1 } from '../../src/onnx/sha1.js'
import { concat, hex } from '../support/bytes.js'
import { codeOf, faultOf } from '../support/fault.js'
import { memorySource } from '../support/memory.js'
import { contents } from '../support/model.js'
import { external, field, initializer, int, modelProto, tensorProto, varint } from '../support/protobuf.js'

const byte = (name: string, value: number): Uint8Array => tensorProto([1], 2, name, field(9, Uint8Array.of(value)))
const sparse = (values: Uint8Array): Uint8Array => field(15, field(1, values), field(2, tensorProto([1], 7, '', field(9, new Uint8Array(8)))), int(3, 10))
const node = (...attributes: Uint8Array[]): Uint8Array => field(1, field(4, 'Op'), ...attributes)
const branch = (name: string, ...graph: Uint8Array[]): Uint8Array => field(5, field(1, name), field(6, ...graph))

test('what a model says of itself is in the metadata, its own entries under their keys', async () => {
  const bytes = concat(
    int(1, 10), field(2, 'maker'), field(3, '1.2'), field(4, 'org'), int(5, -1), field(6, 'doc'),
    field(7, field(2, 'net'), field(10, 'about'), initializer(byte('w', 7))),
    field(8, int(2, 21)), field(8, field(1, 'ai.onnx.ml'), int(2, 3)),
    field(14, field(1, 'k'), field(2, 'v')), field(14, field(1, 'k'), field(2, 'other')), field(14, field(1, '__proto__'), field(2, 'x')),
  )
  const model = await openOnnx(memorySource(bytes))
  expect([...model.metadata]).toEqual([
    ['onnx.ir_version', '10'], ['onnx.producer_name', 'maker'], ['onnx.producer_version', '1.2'], ['onnx.domain', 'org'], ['onnx.model_version', '-1'],
    ['onnx.doc_string', 'doc'], ['onnx.opset_import', '[["",21],["ai.onnx.ml",3]]'], ['onnx.graph.name', 'net'], ['onnx.graph.doc_string', 'about'],
    ['k', 'v'], ['__proto__', 'x'],
  ])
  expect(model.omitted).toEqual([
    { name: 'graph', reason: '0 nodes: initializers are taken over, the computation is not' },
    { name: 'k', reason: 'a further value of this key, "other"' },
  ])
  expect([model.irVersion, model.producerName, model.graphName, model.nodes, model.opset]).toEqual(['10', 'maker', 'net', 0, [['', '21'], ['ai.onnx.ml', '3']]])
})

test('sparse initializers are left out by name, and the dense ones read', async () => {
  const model = await openOnnx(memorySource(modelProto(initializer(byte('dense', 1)), sparse(byte('thin', 2)))))
  expect((await contents(model)).map(([name]) => name)).toEqual(['dense'])
  expect(model.omitted[0]).toEqual({ name: 'thin', reason: 'a sparse initializer, and Kiln has no sparse tensors; store it dense to keep it' })
  expect(model.sparseInitializers).toBe(1)
})

test('initializers of graphs inside nodes are reported, and taken where that is asked for', async () => {
  const inner = node(branch('then_branch', initializer(byte('w', 2)), node(branch('body', initializer(byte('v', 3))))))
  const bytes = modelProto(initializer(byte('w', 1)), node(), inner)
  const model = await openOnnx(memorySource(bytes))
  expect((await contents(model)).map(([name]) => name)).toEqual(['w'])
  const reason = 'an initializer of a graph inside a node; the option subgraphs takes those too'
  expect(model.omitted.slice(0, 2)).toEqual([
    { name: 'node1.then_branch.w', reason }, { name: 'node1.then_branch.node0.body.v', reason },
  ])
  expect(model.nodes).toBe(2)
  const all = await openOnnx(memorySource(bytes), undefined, { subgraphs: true })
  expect((await contents(all)).map(([name, , , bits]) => [name, bits])).toEqual([
    ['w', '01'], ['node1.then_branch.w', '02'], ['node1.then_branch.node0.body.v', '03'],
  ])
})

test('tensors in attributes are counted in what stays behind', async () => {
  const model = await openOnnx(memorySource(modelProto(node(field(5, field(1, 'value'), field(5, byte('c', 1)))))))
  expect(model.omitted).toEqual([
    { name: 'graph', reason: '1 nodes and 1 tensors in their attributes: initializers are taken over, the computation is not' },
  ])
})

test('two initializers of one name are refused by that name', async () => {
  const fault = await faultOf(openOnnx(memorySource(modelProto(initializer(byte('w', 1)), initializer(byte('w', 2))))))
  expect([fault.code, fault.detail]).toEqual(['TYPE', 'two initializers are named "w"'])
})

test('a file that is wire format and no model is FRAME', async () => {
  expect(await codeOf(openOnnx(memorySource(concat(int(1, 8), field(2, 'maker')))))).toBe('FRAME')
  expect(await codeOf(openOnnx(memorySource(hex(''))))).toBe('EOF')
  expect(await codeOf(openTensorProto(memorySource(hex(''))))).toBe('EOF')
  expect(await codeOf(openTensorProto(memorySource(modelProto(initializer(byte('w', 1))))))).toBe('FRAME')
  expect(await codeOf(openOnnx(memorySource(byte('w', 1))))).toBe('FRAME')
})

test('every cut of a model is refused or has fewer fields, and none is read past its end', async () => {
  const bytes = modelProto(field(2, 'net'), initializer(tensorProto([2], 7, 'w', field(7, varint(300), varint(-1)))))
  const codes = new Set<string>()
  for (let length = 0; length < bytes.length; length++) {
    try {
      await openOnnx(memorySource(bytes.subarray(0, length)))
      codes.add('read')
    } catch (error) {
      codes.add(await codeOf(Promise.reject(error as Error)))
    }
  }
  expect([...codes].sort()).toEqual(['EOF', 'FRAME', 'read'])
})

test.each<[string, Uint8Array, string]>([
  ['a group', concat(int(1, 8), hex('3b')), 'FRAME'],
  ['an end of a group', concat(int(1, 8), hex('3c')), 'FRAME'],
  ['field number 0', concat(int(1, 8), hex('00 00')), 'FRAME'],
  ['wire type 6', concat(int(1, 8), hex('3e')), 'FRAME'],
  ['a varint without an end', concat(int(1, 8), hex('28'), new Uint8Array(11).fill(0x80)), 'FRAME'],
  ['a length of 2^64 - 1', concat(int(1, 8), hex('3a'), varint(2n ** 64n - 1n)), 'EOF'],
  ['a length one over', concat(int(1, 8), hex('3a 02 00')), 'EOF'],
  ['a graph that is a number', concat(int(1, 8), int(7, 1)), 'FRAME'],
  ['an initializer that ends inside a field', modelProto(field(5, hex('4a 05 00'))), 'EOF'],
  ['a name that is no UTF-8', modelProto(initializer(concat(int(2, 2), field(8, hex('ff'))))), 'UTF8'],
  ['packed numbers that end inside one', modelProto(initializer(concat(int(1, 1), int(2, 7), field(7, hex('80'))))), 'EOF'],
  ['float_data of three bytes', modelProto(initializer(concat(int(1, 1), int(2, 1), field(4, hex('000000'))))), 'FRAME'],
])('%s is %s', async (_, bytes, code) => {
  expect(await codeOf(openOnnx(memorySource(bytes)))).toBe(code)
})

test('graphs in graphs are followed to a depth, and no stack overflows', async () => {
  const nested = (depth: number): Uint8Array => {
    // Put together from the inside: its own length is all that a level adds.
    let graph: Uint8Array = new Uint8Array(0)
    for (let i = 0; i < depth; i++) graph = node(field(5, field(6, graph)))
    return modelProto(graph)
  }
  expect((await openOnnx(memorySource(nested(64)))).nodes).toBe(1)
  const fault = await faultOf(openOnnx(memorySource(nested(65))))
  expect([fault.code, fault.detail]).toEqual(['LIMIT', 'graphs nested deeper than 64; raise limits.depth if they are meant'])
  expect(await codeOf(openOnnx(memorySource(nested(3000))))).toBe('LIMIT')
})

test('the number of initializers has a cap', async () => {
  const bytes = modelProto(...['a', 'b', 'c'].map((name) => initializer(byte(name, 1))))
  expect((await openOnnx(memorySource(bytes), undefined, { limits: { tensors: 3 } })).tensors).toHaveLength(3)
  expect(await codeOf(openOnnx(memorySource(bytes), undefined, { limits: { tensors: 2 } }))).toBe('LIMIT')
})

test('weights are passed over when a model is opened', async () => {
  const big = new Uint8Array(5 * 2 ** 20)
  const bytes = memorySource(modelProto(initializer(tensorProto([big.length], 2, 'a', field(9, big))), initializer(byte('b', 1))))
  expect((await openOnnx(bytes)).tensors.map(({ name }) => name)).toEqual(['a', 'b'])
  expect(bytes.reads.bytes).toBeLessThan(2 ** 18)
})

test.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 1000])('SHA-1 of %i bytes is that of the platform', (length) => {
  const bytes = new Uint8Array(length).map((_, i) => i * 7)
  const sha1 = new Sha1()
  sha1.update(bytes.subarray(0, length / 3))
  sha1.update(bytes.subarray(length / 3))
  expect(sha1.digest()).toBe(createHash('sha1').update(bytes).digest('hex'))
})

test('a model behind a source with dear reads is walked through in few of them', async () => {
  const nodes = Array.from({ length: 40_000 }, () => node(field(5, field(1, 'name'))))
  const bytes = modelProto(...nodes)
  const near = memorySource(bytes)
  const far = { ...memorySource(bytes), readSize: 2 ** 23 }
  expect((await openOnnx(near)).nodes).toBe(40_000)
  expect((await openOnnx(far)).nodes).toBe(40_000)
  expect([near.reads.count > 5, far.reads.count]).toEqual([true, 1])
})

test('entries of two bytes each are not believed without end', async () => {
  const many = (tag: string) => concat(modelProto(), Uint8Array.from(Buffer.from(tag.repeat(70_000), 'hex')))
  for (const tag of ['4200', '7200']) {
    const fault = await faultOf(openOnnx(memorySource(many(tag))))
    expect([fault.code, fault.detail]).toEqual(['LIMIT', expect.stringContaining('raise limits.entries')])
  }
  const unnamed = modelProto(Uint8Array.from(Buffer.from('2a00'.repeat(500_000), 'hex')))
  expect((await faultOf(openOnnx(memorySource(unnamed)))).detail).toBe('two initializers are named ""')
})

test('values that a function’s attributes have by default are looked at as well', async () => {
  const model = (tensor: Uint8Array): Uint8Array => concat(modelProto(), field(25, field(1, 'f'), field(11, field(1, 'value'), field(5, tensor))))
  const fault = await faultOf(openOnnx(memorySource(model(tensorProto([1], 2, 'w', external({ location: '../w.bin' })))), folderOf([])))
  expect([fault.code, fault.detail]).toEqual([
    'TYPE', 'the attribute "value": external data in "../w.bin" is not opened, for it names a folder; only files in the folder and below are',
  ])
  const graph = concat(modelProto(), field(25, field(1, 'f'), field(11, field(1, 'body'), field(6, initializer(byte('w', 1))))))
  const all = await openOnnx(memorySource(graph), undefined, { subgraphs: true })
  expect((await contents(all)).map(([name]) => name)).toEqual(['function0.body.w'])
})

test('names are compared within a graph; what they come to together counts only where both are taken', async () => {
  const bytes = modelProto(node(branch('then', initializer(byte('w', 1)))), initializer(byte('node0.then.w', 2)))
  const model = await openOnnx(memorySource(bytes))
  expect((await contents(model)).map(([name, , , bits]) => [name, bits])).toEqual([['node0.then.w', '02']])
  const fault = await faultOf(openOnnx(memorySource(bytes), undefined, { subgraphs: true }))
  expect([fault.code, fault.detail]).toEqual([
    'TYPE', 'two initializers are named "node0.then.w"; one is of a graph inside a node: leave those out, without the option subgraphs',
  ])
  const twice = modelProto(node(branch('then', initializer(byte('w', 1)), initializer(byte('w', 2)))))
  expect((await faultOf(openOnnx(memorySource(twice)))).detail).toBe('two initializers are named "node0.then.w"')
  const parts = concat(modelProto(initializer(byte('w', 1))), field(7, initializer(byte('w', 2))))
  expect((await faultOf(openOnnx(memorySource(parts)))).detail).toBe('two initializers are named "w"')
})

test('words of a tensor and of the graph that have no place are reported', async () => {
  const props = field(16, field(1, 'k'), field(2, 'v'))
  const w = concat(byte('w', 1), field(12, 'about'), props, props)
  const model = await openOnnx(memorySource(modelProto(props, initializer(w), initializer(concat(byte('v', 2), props)), initializer(concat(byte('u', 3), field(12, ''))))))
  expect(model.omitted).toEqual([
    { name: 'w', reason: 'its doc_string and its metadata_props (2); the tensor itself is taken over' },
    { name: 'v', reason: 'its metadata_props (1); the tensor itself is taken over' },
    { name: 'graph', reason: '0 nodes: initializers are taken over, the computation is not; its metadata_props (1) stay behind too' },
  ])
  const alone = await openTensorProto(memorySource(w))
  expect([...alone.metadata]).toEqual([['onnx.doc_string', 'about']])
  expect(alone.omitted).toEqual([{ name: 'w', reason: 'its metadata_props (2); the tensor itself is taken over' }])
})
