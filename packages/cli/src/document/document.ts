/** A frame in a document. */
export interface FrameDocument {
  /** Canonical text. Whether the frame itself brings it is bit 0 of `flags`. */
  readonly schema: string
  readonly flags: number
  /** In the case notation. */
  readonly value: unknown
  /**
   * The bytes themselves in hex, where a writer would not make them of the value: a directory that is valid and not
   * canonical, a stale checksum. Taken as they are, if they say the same as `value`.
   */
  readonly exact?: unknown
}

/** What `kiln decode` writes and `kiln encode` reads. */
export type KilnDocument =
  | { readonly kiln: 'frames'; readonly frames: Iterable<FrameDocument> }
  | { readonly kiln: 'directory'; readonly alignment?: number; readonly tensors: unknown; readonly exact?: unknown }
  | { readonly kiln: 'value'; readonly schema: string; readonly value: unknown; readonly exact?: unknown }
