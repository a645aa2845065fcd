/** The command line itself is wrong: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
