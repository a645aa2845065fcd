import { k } from 'kiln-format'

export const SIDE = 10

/** A picture of SIDE × SIDE bytes, and the digit that it shows. */
export const Sample = k.struct({ features: k.tensors, label: k.u16 })

/** What the dataset consists of, kept beside the shards. `offsets` are where blocks of frames begin, and the end. */
export const Index = k.struct({
  samples: k.u32,
  block: k.u32,
  shards: k.list(k.struct({ file: k.string, samples: k.u32, sha256: k.bytes, offsets: k.list(k.f64) })),
})
