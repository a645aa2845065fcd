// Where each field of a directory's header lies, from its first byte (FORMAT §4).
export const magic = 0
export const version = 4
export const flags = 5
export const reserved = 6
export const totalSize = 8
export const tensorCount = 16
export const heapSize = 20
export const payloadBase = 24
export const reservedTail = 32
