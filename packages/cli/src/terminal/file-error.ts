/** Says in which file, or on which stream, a fault was found; the fault itself is the cause. */
export class FileError extends Error {
  override readonly name = 'FileError'
  readonly file: string

  constructor(file: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.file = file
  }
}
