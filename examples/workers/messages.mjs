import { k } from 'kiln-format'

/** What lies in the shards: a vector of 1,024 numbers and whose it is. */
export const Sample = k.struct({ vector: k.tensors, id: k.u32 })

/** The same from another source. Workers learn of it from the registry alone. */
export const NamedSample = k.struct({ vector: k.tensors, id: k.u32, source: k.string })

/** A piece of work: these bytes of this shard are whole frames of the schema with this hash. */
export const Job = k.struct({ id: k.string, shard: k.string, start: k.u64, length: k.u64, schema: k.u64 })

/**
 * What came of it: the vectors as MXFP4, one below the other, in the order of `ids`. `spent` is the microseconds of
 * processor time that the worker has used so far, its start not counted.
 */
export const Result = k.struct({
  vectors: k.tensors,
  job: k.string,
  ids: k.list(k.u32),
  worker: k.string,
  delivery: k.u32,
  spent: k.u64,
})

/** What is said of a job that can't be done. */
export const Fault = k.struct({ job: k.string, message: k.string, worker: k.string })

export const DIMENSIONS = 1024
