import { isKilnError, KilnError } from '../errors/kiln-error.js'
import { isSchema } from '../schema/is-schema.js'
import { readU64 } from '../bytes/u64.js'
import { FRAME_HEADER_SIZE, FRAME_MAGIC, frameFields } from '../frame/header.js'
import { registryOf, type SchemaRegistry } from '../frame/schema-choice.js'
import { DIRECTORY_MAGIC } from '../tensors/header.js'
import { walkValue } from './body.js'
import { walkDirectory } from './directory.js'
import { walkFrame } from './frame.js'
import { rules } from './rules.js'
import type { WalkOptions } from './span.js'
import { PAST_RANGE, type Pauses, type WalkState } from './state.js'

/** Goes through the input. A fault becomes a span; other errors pass. */
export function* walkInput(w: WalkState, options: WalkOptions): Pauses {
  try {
    yield* walkAs(w, options)
  } catch (error) {
    if (error === PAST_RANGE) return
    if (!isKilnError(error)) throw error
    w.fail(error)
  }
}

function* walkAs(w: WalkState, options: WalkOptions): Pauses {
  const { as = 'file', depth = Infinity } = options
  if (as === 'file') yield* walkFile(w, registryOf(options.schemas), depth)
  else if (as === 'frame') yield* walkFrame(w, registryOf(options.schemas), depth)
  else if (as === 'directory') yield* openDirectory(w, depth)
  else if (isSchema(as)) yield* walkValue(w, as, depth)
  else throw new TypeError('options.as is "file", "frame", "directory" or a schema')
  if (w.pos === w.end) return
  w.field(w.end - w.pos, rules.trailing)
  throw new KilnError('TRAILING', `${w.end - w.pos} bytes follow the value`, w.pos - w.base)
}

function* openDirectory(w: WalkState, depth: number): Pauses {
  const start = w.pos
  const closed = depth <= 0
  if (closed) w.muted++
  const { entries = 0 } = yield* walkDirectory(w, depth)
  if (!closed) return
  w.muted--
  w.put('group', start, w.pos - start, rules.directory, { type: 'tensors', entries })
}

/** A file of one directory, or of frames (FORMAT §7). */
function* walkFile(w: WalkState, registry: SchemaRegistry, depth: number): Pauses {
  w.field(Math.min(4, w.size), rules.files)
  if (!w.has(4)) yield w.need(4)
  if (w.size < 4) throw new KilnError('EOF', `a file begins with KILT or KILF; this has ${w.size} bytes`, 0)
  const magic = w.r.view.getUint32(w.r.pos, true)
  if (magic === DIRECTORY_MAGIC) {
    yield* openDirectory(w, depth)
    return
  }
  if (magic !== FRAME_MAGIC)
    throw new KilnError('FRAME', 'a Kiln file begins with the four bytes KILT or KILF; this is something else', 0)
  for (let i = 0; w.pos < w.end; i++) {
    // Paths of a lone frame are those of its value.
    const many = i > 0 || (yield* firstFrameLength(w)) < w.size
    if (many) w.steps.push(i)
    yield* walkFrame(w, registry, depth)
    if (many) w.steps.pop()
    if (w.full) yield undefined
  }
}

/** Bytes of the frame at the cursor as its header says, or the input's size where that can't be said. */
function* firstFrameLength(w: WalkState): Pauses<number> {
  if (w.size < FRAME_HEADER_SIZE) return w.size
  if (!w.has(FRAME_HEADER_SIZE)) yield w.need(FRAME_HEADER_SIZE)
  const { view, pos } = w.r
  return view.getUint32(pos + frameFields.headerSize, true) + readU64(view, pos + frameFields.bodyLength)
}
