/**
 * What code that `kiln gen` wrote imports: the library's own checks, readers and writers under names that stay.
 * It is small, so that a page which only reads one kind of message takes little more than that, and nothing
 * in it is meant to be called by hand.
 */
export type { AnyArrays, NumberName, NumberValue, OwnArrays } from '../bytes/elements.js'
export type { OwnBytes } from '../bytes/host.js'
export { inMessage } from '../bytes/message-reader.js'
export { checkEnd, take, takeCount } from '../bytes/reader.js'
export type { ByteReader } from '../bytes/reader.js'
export type { ByteWriter } from '../bytes/writer.js'
export type { ByteInput } from '../frozen/decode.js'
export { addKey, checkEntries, checkEntry, inEntry, inKey, keyTwice, writeEntryCount } from '../frozen/dict.js'
export { checkLength, writeListCount } from '../frozen/list.js'
export type { MessageWriter } from '../frozen/message-writer.js'
export type { NumberList } from '../frozen/number-list.js'
export { numbersWriter } from '../frozen/numbers.js'
export { checkBool, checkI64, checkU64 } from '../frozen/scalar-checks.js'
export { flagAt, readFlag, safeInteger } from '../frozen/scalar-read.js'
export { readTensors, viewTensors, writeTensors } from '../frozen/tensors.js'
export { readBytes, readString, viewBytes, writeBytes, writeCount, writeString } from '../frozen/text.js'
export { encodedSizeWith, encodeIntoWith, encodePartsWith, encodeWith } from '../frozen/write-value.js'
export type { Directory } from '../tensors/directory.js'
export type { DictInput, NumbersInput, TensorsInput } from './inputs.js'
export { numbers } from './numbers.js'
export {
  inElement, inField, openMessage, openReader, readSafeI64, readSafeU64, takeEntries, takeList, takeRun,
} from './reading.js'
export type { ReadOptions, Run } from './reading.js'
export {
  checkBf16, checkF16, checkF32, checkF64, checkI16, checkI32, checkI8, checkU16, checkU32, checkU8,
  entriesOf, grant, objectPrototype, ownFields, writeTag,
} from './writing.js'
export { passTensors } from '../frozen/pass.js'
export { placeWith } from '../frame/place-for.js'
export type { PlaceOptions } from '../frame/place-for.js'
export { passFault, seekFault } from './passing.js'
