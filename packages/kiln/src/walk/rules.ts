import type * as descriptorFields from '../tensors/descriptor-fields.js'
import type * as frameFields from '../frame/frame-fields.js'
import type * as headerFields from '../tensors/header-fields.js'

/** A field of fixed place: its name, its word, and the rule that it follows. */
export interface FieldRule {
  readonly name: string
  readonly type: string
  readonly length: number
  readonly rule: string
}

function table<K extends string>(
  section: string,
  rows: Record<K, readonly [string, string, number, string]>,
): Record<K, FieldRule> {
  const rules = {} as Record<K, FieldRule>
  for (const key of Object.keys(rows) as K[]) {
    const [name, type, length, text] = rows[key]
    rules[key] = { name, type, length, rule: `${section}: ${text}` }
  }
  return rules
}

/** FORMAT §6, the header of a frame. */
export const frameRules = table<Exclude<keyof typeof frameFields, 'text'>>('§6 Frame header', {
  magic: ['magic', 'ASCII', 4, 'the four bytes KILF'],
  version: ['version', 'u8', 1, 'version 1'],
  flags: ['flags', 'u8', 1, 'bit 0 is SCHEMA, bit 1 is CHECKSUM, the others are 0'],
  reserved: ['reserved', 'u16', 2, 'reserved, 0'],
  headerSize: ['header_size', 'u32', 4, 'bytes before the body: 32, or with SCHEMA a multiple of 64'],
  checksum: ['checksum', 'crc32', 4, 'CRC-32 of the body with CHECKSUM, else 0'],
  hash: ['schema_hash', 'hash', 8, "FNV-1a 64 over the schema's tokens"],
  bodyLength: ['body_length', 'u64', 8, 'bytes of the body'],
})

/** FORMAT §4, the header of a directory. */
export const headerRules = table<keyof typeof headerFields>('§4 Header', {
  magic: ['magic', 'ASCII', 4, 'the four bytes KILT'],
  version: ['version', 'u8', 1, 'version 2'],
  flags: ['flags', 'u8', 1, 'flags, 0'],
  reserved: ['reserved', 'u16', 2, 'reserved, 0'],
  totalSize: ['total_size', 'u64', 8, 'bytes of the block, from its first to its last'],
  tensorCount: ['tensor_count', 'u32', 4, 'how many tensors there are'],
  heapSize: ['heap_size', 'u32', 4, 'bytes of the name heap'],
  payloadBase: ['payload_base', 'u64', 8, 'where payloads begin, from the start of the block; a multiple of 64'],
  reservedTail: ['reserved', 'bytes', 32, 'reserved, 0'],
})

/** FORMAT §4 and §5, a descriptor. The shape is one entry here and eight words in the file. */
export const descriptorRules = table<keyof typeof descriptorFields>('§4 Descriptor', {
  shape: ['shape', 'u64', 8, 'a dimension; the outermost comes first'],
  byteOffset: ['byte_offset', 'u64', 8, 'where the payload begins, from payload_base; a multiple of 64'],
  byteLength: ['byte_length', 'u64', 8, 'bytes of the payload: what dtype and shape need'],
  nameOffset: ['name_offset', 'u32', 4, 'where the name begins in the heap: the sum of the lengths before it'],
  nameLength: ['name_length', 'u32', 4, 'bytes of the name; 0 is an unnamed tensor'],
  dtype: ['dtype', 'dtype', 2, 'code of the dtype'],
  rank: ['rank', 'u8', 1, 'how many dimensions there are, 0 to 8'],
  scheme: ['scheme', 'u8', 1, '0 none, 1 scales, 2 scales and outer (§5)'],
  quantAxis: ['quant_axis', 'u16', 2, 'the axis along which groups share a scale; 0xFFFF without a scheme (§5)'],
  flags: ['flags', 'u16', 2, 'bit 0 says that the checksum is set, the others are 0'],
  groupSize: ['group_size', 'u32', 4, 'elements that share a scale; 0 without a scheme (§5)'],
  scaleIndex: ['scale_index', 'u32', 4, 'the tensor with the scales; 0xFFFFFFFF without a scheme (§5)'],
  outerIndex: ['outer_index', 'u32', 4, 'the tensor with the outer scale; 0xFFFFFFFF unless the scheme is 2 (§5)'],
  checksum: ['checksum', 'crc32', 4, 'CRC-32 of the payload, or 0'],
  reserved: ['reserved', 'bytes', 16, 'reserved, 0'],
})

/** The rules of what has no fixed place. */
export const rules = {
  unusedShape: '§4 Descriptor: entries of the shape from the rank on are 0',
  header: '§4 Header: 64 bytes',
  descriptors: '§4 Descriptor: 128 bytes a tensor, from byte 64 of the block',
  name: "§4 Name heap: the names' UTF-8 in tensor order, nothing between",
  basePadding: '§4: zeros from the name heap to payload_base',
  payload: '§4 Payloads: little-endian, row-major; each begins at a multiple of 64 from the start of its block',
  gap: '§4 Valid and canonical: zeros up to the next multiple of 64',
  directory: '§4 The tensor directory: header, descriptors, names, payloads',
  frame: '§6 The frame: a header, then one value',
  frameHeader: '§6 Frame header: 32 bytes',
  schemaText: '§6: the canonical schema text (§3)',
  schemaPadding: '§6: zeros from the schema text to header_size',
  body: '§6: the body, a value of the schema',
  count: '§2 Counts: a u32, within its cap, with room for that many entries',
  length: '§2 Counts: a u32, within its cap, with that many bytes behind it',
  scalar: '§2: a little-endian word',
  bool: '§2: one byte, 0 or 1',
  tag: '§2 option: a byte, 0 or 1',
  string: '§2 string: a u32 length, then UTF-8',
  bytes: '§2 bytes: a u32 length, then the bytes',
  numbers: '§2 Lists of fixed-width numbers: a u32 count, then the elements, little-endian',
  list: '§2 list: a u32 count, then the elements in order',
  dict: '§2 dict: a u32 count, then key, value, key, value …',
  option: '§2 option: one byte, then the value if it is 1',
  struct: '§2 struct: the fields in order',
  beforeFault: 'valid up to the fault behind it',
  checksum: '§6 step 4: with CHECKSUM the CRC-32 of the body matches',
  rest: 'not read: a check before it failed',
  files: '§7 Files: a directory (KILT) or frames (KILF), told by the first four bytes',
  trailing: '§2 Standalone: nothing follows a value that stands alone',
} as const
