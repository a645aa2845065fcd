import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.mjs'

const kind = `${process.platform}-${process.arch}`

/** The Nodes that tools/runtimes has installed, and the one that runs this where it is another. */
export function nodes() {
  const found = [20, 22, 24, 26]
    .map((major) => ({
      name: `Node ${major}`,
      binary: join(root, `tools/runtimes/node_modules/node${major}-${kind}/bin/node`),
    }))
    .filter(({ binary }) => existsSync(binary))
  return found.length > 0 ? found : [{ name: `Node ${process.versions.node}`, binary: process.execPath }]
}
