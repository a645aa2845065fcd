// Where each field of a descriptor lies, from its first byte (FORMAT §4). A module and no object: bundlers put the numbers in.
export const shape = 0
export const byteOffset = 64
export const byteLength = 72
export const nameOffset = 80
export const nameLength = 84
export const dtype = 88
export const rank = 90
export const scheme = 91
export const quantAxis = 92
export const flags = 94
export const groupSize = 96
export const scaleIndex = 100
export const outerIndex = 104
export const checksum = 108
export const reserved = 112
