import { FRAME_HEADER_SIZE } from '../../packages/kiln/src/frame/header.js'
import * as frameFields from '../../packages/kiln/src/frame/frame-fields.js'
import { DESCRIPTOR_SIZE } from '../../packages/kiln/src/tensors/descriptor.js'
import * as descriptorFields from '../../packages/kiln/src/tensors/descriptor-fields.js'
import { HEADER_SIZE, MAX_ALIGNMENT } from '../../packages/kiln/src/tensors/header.js'
import * as headerFields from '../../packages/kiln/src/tensors/header-fields.js'
import { PAYLOAD_ALIGNMENT } from '../../packages/kiln/src/bytes/align.js'
import { descriptorRules, frameRules, headerRules, type FieldRule } from '../../packages/kiln/src/walk/rules.js'
import { drawDiagram, type DiagramField } from './byte-diagram.js'
import { drawLayout } from './layout-diagram.js'

/**
 * The fields of a table in the code, in order of their offsets. A field's bytes are what lies between it and the next, so that
 * none can be left out; `rules` has their names and types.
 */
export function fieldsOf<K extends string>(
  offsets: Readonly<Record<K, number>>,
  size: number,
  rules: Readonly<Record<K, FieldRule>>,
): DiagramField[] {
  const inOrder = (Object.keys(offsets) as K[]).sort((a, b) => offsets[a] - offsets[b])
  return inOrder.map((key, i) => {
    const next = inOrder[i + 1]
    const { name, type, length } = rules[key]
    const bytes = (next === undefined ? size : offsets[next]) - offsets[key]
    const word = wordOf(type, length)
    return { offset: offsets[key], length: bytes, name, type: bytes === length ? word : `${word}[${bytes / length}]` }
  })
}

/** The word behind a type that says what a number means, such as a hash; nothing for bytes without one. */
function wordOf(type: string, length: number): string {
  if (type === 'bytes') return ''
  return /^(u\d+|ASCII)$/.test(type) ? type : `u${length * 8}`
}

const { text, ...fixedFrameFields } = frameFields

/** The pictures of the format's page, by file name. */
export const diagrams: Readonly<Record<string, string>> = {
  'directory-header.svg': drawDiagram({
    title: `Header of a directory, ${HEADER_SIZE} bytes`,
    fields: fieldsOf(headerFields, HEADER_SIZE, headerRules),
  }),
  'descriptor.svg': drawDiagram({
    title: `Descriptor of a tensor, ${DESCRIPTOR_SIZE} bytes`,
    fields: fieldsOf(descriptorFields, DESCRIPTOR_SIZE, descriptorRules),
  }),
  'frame-header.svg': drawDiagram({
    title: `Header of a frame, ${FRAME_HEADER_SIZE} bytes`,
    fields: fieldsOf(fixedFrameFields, FRAME_HEADER_SIZE, frameRules),
  }),
  'directory.svg': drawLayout('A tensor directory', [
    { name: 'header', size: `${HEADER_SIZE} bytes`, at: '0' },
    { name: 'descriptors', size: `${DESCRIPTOR_SIZE} bytes a tensor`, at: `${HEADER_SIZE}` },
    { name: 'names', size: 'heap_size bytes of UTF-8' },
    { name: 'zeros', size: `fewer than ${MAX_ALIGNMENT}, in the canonical block fewer than ${PAYLOAD_ALIGNMENT}`, padding: true },
    { name: 'payload 0', size: 'byte_length bytes', at: 'payload_base' },
    { name: 'zeros', size: `to the next multiple of ${PAYLOAD_ALIGNMENT}`, padding: true },
    { name: 'payload 1', size: 'byte_length bytes, and so on', at: '+ byte_offset' },
  ]),
  'frame.svg': drawLayout('A frame', [
    { name: 'header', size: `${FRAME_HEADER_SIZE} bytes`, at: '0' },
    { name: 'schema text', size: 'with SCHEMA: canonical, ASCII', at: `${text}` },
    { name: 'zeros', size: `with SCHEMA: to the next multiple of ${PAYLOAD_ALIGNMENT}`, padding: true },
    { name: 'body', size: 'body_length bytes: one value', at: 'header_size' },
  ]),
}
