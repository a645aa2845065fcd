import { KilnError, type ByteSink, type ByteSource, type ReadOptions, type SourceInput } from 'kiln-format'
import type { Folder, ForeignTensor, WritableModel } from '../model.js'
import { heldSource } from './held-source.js'

// What programs without types may give; each function that is exported looks at its arguments before anything is read.

function refuse(what: string, given: unknown): KilnError {
  return new KilnError('TYPE', `${what}, got ${given === null ? 'null' : typeof given === 'string' ? 'a string' : typeof given}`)
}

function isObject(given: unknown): given is object {
  return typeof given === 'object' && given !== null
}

/** Throws `TYPE` for options, caps or a signal that are none. */
export function checkOptions(options: (ReadOptions & { readonly limits?: unknown }) | undefined): void {
  if (options === undefined) return
  if (!isObject(options)) throw refuse('options are an object, such as { signal }', options)
  const { limits, signal } = options
  if (limits !== undefined && !isObject(limits)) throw refuse('limits are an object of caps', limits)
  if (signal === undefined) return
  if (!isObject(signal) || typeof signal.throwIfAborted !== 'function') throw refuse('signal is an AbortSignal', signal)
}

/** The source; a Blob or bytes are taken as one, anything else is `TYPE`. */
export function sourceGiven(source: SourceInput, options: ReadOptions | undefined): ByteSource {
  checkOptions(options)
  return heldSource(source)
}

/** Throws `TYPE` for what is no folder. */
export function checkFolder(folder: Folder): void {
  if (!isObject(folder) || typeof folder.open !== 'function') throw refuse('a folder has open(name), such as folderOf(files) or nodeFolder(path)', folder)
}

/** Throws `TYPE` for what is no sink. */
export function checkSink(sink: ByteSink): void {
  const { write, close, abort } = (isObject(sink) ? sink : {}) as Partial<ByteSink>
  if ([write, close, abort].every((method) => typeof method === 'function')) return
  throw refuse('a sink has write, close and abort, such as bytesSink() or fileSink(path)', sink)
}

/** Throws `TYPE` for what is no tensor. */
export function checkTensorGiven(tensor: ForeignTensor): void {
  if (!isObject(tensor)) throw refuse('a tensor with name, dtype, shape and chunks expected', tensor)
  const { name, dtype, shape, byteLength, chunks } = tensor as Partial<ForeignTensor>
  if (typeof name !== 'string') throw refuse("a tensor's name is a string", name)
  if (typeof dtype !== 'string') throw refuse("a tensor's dtype is a name such as 'f32'", dtype)
  if (!Array.isArray(shape)) throw refuse("a tensor's shape is an array", shape)
  if (typeof byteLength !== 'number') throw refuse("a tensor's byteLength is a number", byteLength)
  if (typeof chunks !== 'function') throw refuse("a tensor's chunks is a function that gives its payload", chunks)
}

/** Throws `TYPE` for what is no model, with the place of a tensor that is none. */
export function checkModel(model: WritableModel): void {
  if (!isObject(model)) throw refuse('a model has tensors and perhaps metadata', model)
  const { tensors, metadata } = model
  if (!Array.isArray(tensors)) throw refuse('the tensors of a model are an array', tensors)
  ;(tensors as readonly ForeignTensor[]).forEach(checkTensorGiven)
  if (metadata === undefined) return
  if (!isObject(metadata) || typeof metadata.get !== 'function' || typeof metadata.entries !== 'function') {
    throw refuse('metadata is a Map of strings', metadata)
  }
  for (const [key, value] of metadata as ReadonlyMap<unknown, unknown>) {
    if (typeof key !== 'string' || typeof value !== 'string') throw refuse('metadata is a Map of strings', typeof key === 'string' ? value : key)
  }
}

/** Throws `TYPE` for what a set of files can't be written with. */
export function checkSetOptions(open: unknown, options: unknown): void {
  if (typeof open !== 'function') throw refuse('open is a function that gives a sink for a name', open)
  if (!isObject(options)) throw refuse('options are an object that says how large a file may be', options)
  checkOptions(options as ReadOptions)
}
