/** What generated code can import from the run-time entry; names of its own give way to these. */
export const RUNTIME_NAMES: readonly string[] = [
  'addKey', 'checkBf16', 'checkBool', 'checkEnd', 'checkF16', 'checkF32', 'checkF64', 'checkI16', 'checkI32', 'checkI64',
  'checkI8', 'checkLength', 'checkNewKey', 'checkU16', 'checkU32', 'checkU64', 'checkU8', 'encodedSizeWith',
  'encodeIntoWith', 'encodePartsWith', 'encodeWith', 'entriesOf', 'flagAt', 'grant', 'inElement', 'inEntry', 'inField', 'inKey',
  'numbers', 'objectPrototype', 'openReader', 'ownFields', 'readBytes', 'readFlag', 'readSafeI64', 'readSafeU64', 'readString', 'readTensors',
  'safeInteger', 'take', 'takeEntries', 'takeList', 'takeRun', 'viewBytes', 'viewTensors', 'writeBytes', 'writeCount',
  'writeListCount', 'writeString', 'writeTag', 'writeTensors',
]

export const RUNTIME_TYPES: readonly string[] = [
  'ByteInput', 'ByteReader', 'ByteWriter', 'DictInput', 'Directory', 'NumberList', 'NumbersInput', 'OwnArrays',
  'OwnBytes', 'ReadOptions', 'Run', 'TensorsInput',
]
