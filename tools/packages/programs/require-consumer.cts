/* eslint-disable @typescript-eslint/no-require-imports -- that it works is what this program shows */
import kiln = require('kiln-format')
import convert = require('kiln-convert')

export const text: string = kiln.decode(kiln.k.string, new Uint8Array(1))
export const { sniff } = convert
