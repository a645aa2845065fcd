// Where each field of a frame's header lies, from its first byte (FORMAT §6).
export const magic = 0
export const version = 4
export const flags = 5
export const reserved = 6
export const headerSize = 8
export const checksum = 12
export const hash = 16
export const bodyLength = 24
export const text = 32
