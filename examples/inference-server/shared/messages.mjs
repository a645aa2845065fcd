import { k } from 'kiln-format'

/** What a client sends. The tensors stand first, so that they are aligned in their frame and can be used where they lie. */
export const Request = k.struct({
  audio: k.tensors, // one tensor `audio`: f32 [samples], 16,000 a second
  id: k.i64,
  model: k.string,
  temperature: k.f32, // 1 leaves the model's answer alone, less makes it surer, more less sure
})

/** What comes back: for each 512 samples, how likely they are speech. */
export const Answer = k.struct({ speech: k.list(k.f32), id: k.i64, model: k.string, milliseconds: k.f64 })

/** Or why nothing does. Without an id the request couldn't be read, and none behind it will be. */
export const Fault = k.struct({ id: k.option(k.i64), code: k.string, message: k.string })
