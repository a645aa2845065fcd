import { fileURLToPath } from 'node:url'

/** The folder with fixtures, from KILN_SHARED or beside the repository. */
export const shared = process.env['KILN_SHARED'] ?? fileURLToPath(new URL('../../../../../shared', import.meta.url))
