import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { published } from './paths.mjs'
import { npm } from './run-program.mjs'

/** Packs every package into a folder: its manifest, the tarball's path, and the files in it. */
export async function packAll(folder) {
  mkdirSync(folder, { recursive: true })
  const packed = []
  for (const { folder: name, path, manifest } of published) {
    const told = JSON.parse(await npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], path))
    // An array before npm 11.7, an object by name from there on.
    const [{ filename, files, size }] = Object.values(told)
    packed.push({
      name: manifest.name,
      manifest,
      path,
      folder: name,
      tarball: join(folder, filename),
      files: files.map((file) => file.path),
      size,
    })
  }
  return packed
}
