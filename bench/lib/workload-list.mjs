import { embedding, record, records, request, tensors } from '../workloads/values.mjs'

/** The workloads of the tables: what is written and read, and how many rounds it takes for a steady median. */
export const workloads = [
  { id: 'W1 768', kind: 'embedding', what: 'an embedding of 768 f32', value: () => embedding(768) },
  { id: 'W1 1M', kind: 'embedding', what: 'an embedding of 1,000,000 f32', value: () => embedding(1_000_000), slow: true },
  { id: 'W2', kind: 'record', what: 'a record of 12 strings', value: () => record(1) },
  { id: 'W2u', kind: 'record', what: 'the same, a third of the text not ASCII', value: () => record(1, true) },
  { id: 'W3', kind: 'records', what: '10,000 records', value: () => records(10_000), slow: true },
  { id: 'W3u', kind: 'records', what: 'the same, a third of the text not ASCII', value: () => records(10_000, true), slow: true },
  { id: 'W4', kind: 'request', what: 'an inference request with two tensors, 196 KB', value: request },
  { id: 'W5', kind: 'tensors', what: 'a directory of 1,000 tensors', value: () => tensors(1000), slow: true },
]
