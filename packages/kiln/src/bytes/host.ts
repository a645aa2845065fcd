/**
 * What Kiln uses of the platform beyond the language: text coders, and two facts. Browsers, Node,
 * Deno, Bun and Workers all have them; naming them here keeps DOM and Node types out of the core.
 */
interface TextDecoderLike {
  decode(bytes: Uint8Array): string
}
interface TextEncoderLike {
  encode(text: string): OwnBytes
  encodeInto(text: string, target: Uint8Array): { read: number; written: number }
}
interface Host {
  readonly TextDecoder: new (label: 'utf-8', options: { fatal: true; ignoreBOM: true }) => TextDecoderLike
  readonly TextEncoder: new () => TextEncoderLike
}

/**
 * Bytes that own their buffer. In TypeScript 5.7 and later this is `Uint8Array<ArrayBuffer>`; earlier
 * compilers, in which Uint8Array takes no argument, see `Uint8Array`.
 */
export type OwnBytes = ReturnType<Uint8ArrayConstructor['of']>

const host = globalThis as unknown as Host

/** Refuses what is not UTF-8, and keeps U+FEFF. */
export const textDecoder: TextDecoderLike = new host.TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export const textEncoder: TextEncoderLike = new host.TextEncoder()

/** Whether this machine's typed arrays are little-endian, as Kiln's bytes are. */
export const littleEndian: boolean = new Uint8Array(Uint16Array.of(1).buffer, 0, 1)[0] === 1
