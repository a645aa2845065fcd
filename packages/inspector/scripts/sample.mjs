import { encodeFrame, k, tensor } from 'kiln-format'
import { quantize } from 'kiln-format/numeric'

/** Numbers that look random, the same each time (mulberry32), as a normal distribution. */
export function normals(seed, count, deviation) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return Float32Array.from(
    { length: count },
    () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()) * deviation,
  )
}

/** Weights with a pattern that one recognises: waves with some noise. */
function waves(rows, columns, seed) {
  const noise = normals(seed, rows * columns, 0.09)
  return noise.map((n, i) => {
    const [y, x] = [Math.floor(i / columns) / rows, (i % columns) / columns]
    return n + 0.5 * Math.sin(x * 11 + Math.sin(y * 7) * 2) * Math.cos(y * 9 - x * 3)
  })
}

/** A small model file with what the page can show: layers, halves, quantized weights, metadata. */
export function sampleModel() {
  const tensors = [tensor('embeddings.word.weight', 'f32', [768, 192], waves(768, 192, 1))]
  for (let layer = 0; layer < 12; layer++) {
    const at = (name) => `encoder.layers.${layer}.${name}`
    for (const part of ['query', 'key', 'value', 'output']) {
      tensors.push(
        tensor(at(`attention.${part}.weight`), 'bf16', [192, 192], bfloat(waves(192, 192, layer * 10 + part.length))),
      )
      tensors.push(tensor(at(`attention.${part}.bias`), 'f32', [192], normals(layer + 99, 192, 0.02)))
    }
    tensors.push(...quantize(at('mlp.up.weight'), [384, 192], waves(384, 192, layer + 40), 'mxfp4'))
    tensors.push(
      tensor(
        at('norm.weight'),
        'f32',
        [192],
        normals(layer + 7, 192, 0.1).map((n) => 1 + n),
      ),
    )
  }
  tensors.push(tensor('head.weight', 'f16', [64, 192], half(waves(64, 192, 5))))
  tensors.push(
    tensor(
      'head.token_ids',
      'i64',
      [64],
      BigInt64Array.from({ length: 64 }, (_, i) => BigInt(i * 7)),
    ),
  )
  const schema = k.struct({ tensors: k.tensors, metadata: k.dict(k.string, k.string) })
  return encodeFrame(schema, { tensors, metadata: metadata() }, { schema: true, checksum: true })
}

/** A frame of many kinds of values. */
export function sampleRecord() {
  const schema = k.struct({
    prompt: k.tensors,
    id: k.i64,
    model: k.string,
    temperature: k.f32,
    stop: k.list(k.string),
    tags: k.dict(k.string, k.string),
    seed: k.option(k.u32),
    scores: k.list(k.f32),
    steps: k.list(k.struct({ token: k.u32, text: k.string, logprob: k.f64 })),
  })
  const words = ['the', ' kiln', ' was', ' still', ' warm', ' when', ' they', ' came', ' back']
  return encodeFrame(
    schema,
    {
      prompt: [
        tensor('tokens', 'u32', [9], Uint32Array.of(464, 24893, 373, 991, 5814, 618, 484, 1625, 736)),
        tensor('mask', 'bool', [9], Uint8Array.of(1, 1, 1, 1, 1, 1, 1, 1, 0)),
      ],
      id: 9007199254740993n,
      model: 'clay-7b',
      temperature: 0.7,
      stop: ['\n\n', '<end>'],
      tags: new Map([
        ['tenant', 'pottery'],
        ['region', 'eu-1'],
        ['trace', '4bf92f35'],
      ]),
      seed: undefined,
      scores: normals(3, 400, 1),
      steps: words.map((text, i) => ({ token: 464 + i * 17, text, logprob: -0.13 * (i + 1) })),
    },
    { schema: true },
  )
}

function metadata() {
  return new Map([
    ['general.name', 'Clay encoder'],
    ['general.architecture', 'encoder'],
    ['general.license', 'apache-2.0'],
    [
      'general.description',
      'A small text encoder whose weights are drawn, not trained: it exists for pictures of this page.',
    ],
    ['encoder.layers', '12'],
    ['encoder.hidden_size', '192'],
    ['encoder.attention.heads', '6'],
    ['tokenizer.model', 'bpe'],
    ['tokenizer.vocabulary', JSON.stringify(Array.from({ length: 120 }, (_, i) => `piece_${i}`))],
    ['tokenizer.special', '{"start":"<s>","end":"</s>","unknown":"<unk>"}'],
    ['training.tokens', '3100000000'],
    ['quantization.scheme', 'mxfp4, groups of 32'],
  ])
}

function bfloat(values) {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length)
  return Uint16Array.from(bits, (word) => (word + 0x7fff + ((word >>> 16) & 1)) >>> 16)
}

function half(values) {
  const view = new DataView(new ArrayBuffer(4))
  return Uint16Array.from(values, (value) => {
    view.setFloat32(0, value)
    const word = view.getUint32(0)
    const exponent = ((word >>> 23) & 0xff) - 112
    return ((word >>> 16) & 0x8000) | (exponent <= 0 ? 0 : (exponent << 10) | ((word >>> 13) & 0x3ff))
  })
}
