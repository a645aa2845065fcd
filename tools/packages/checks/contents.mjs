import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { manifestOf } from '../paths.mjs'
import { expectNone } from '../report.mjs'

const NOT_PUBLISHED = /\.tsbuildinfo$|(^|\/)(tests?|\.tmp|scripts|node_modules)\/|\.test\./
const INSTALL_SCRIPT = /^(pre|post)?(install|prepare|publish|pack)$|^prepublishOnly$/
const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/

/** What is in the tarballs, and what their manifests say. */
export async function checkContents(report, packed) {
  for (const { name, manifest, path, files, size } of packed) {
    await report.check(`${name}: what is packed`, () => {
      expectNone(
        files.filter((file) => NOT_PUBLISHED.test(file)),
        'not for users',
      )
      const wanted = ['README.md', 'LICENSE', 'package.json', ...(isBundled(path) ? ['dist/THIRD-PARTY.md'] : [])]
      const missing = wanted.filter((file) => !files.includes(file))
      expectNone(missing, 'missing')
      return `${files.length} files, ${Math.round(size / 1000)} kB`
    })
    await report.check(`${name}: built files and sources are the same ones`, () => sameAsSources(path))
    await report.check(`${name}: no install script, exact versions`, () => {
      expectNone(
        Object.keys(manifest.scripts ?? {}).filter((script) => INSTALL_SCRIPT.test(script)),
        'scripts that run at installing',
      )
      for (const [other, range] of Object.entries(manifest.dependencies ?? {})) {
        const want = other.startsWith('kiln-') ? manifestOf(other).version : range
        if (range !== want || !EXACT.test(range))
          throw new Error(`${other} is "${range}", not an exact version${want === range ? '' : `, "${want}"`}`)
      }
      const { version } = manifestOf('kiln-format')
      if (manifest.version !== version) throw new Error(`it is ${manifest.version}, kiln-format ${version}`)
    })
  }
}

/** Whether the built files have other packages in them, whose licences then have to come along. */
const isBundled = (path) => existsSync(join(path, 'vite.config.ts'))

/** Leftovers of sources that are gone would be published; so would be a build that was not made again. */
function sameAsSources(path) {
  const listed = (folder) =>
    readdirSync(join(path, folder), { recursive: true }).map((file) => file.replaceAll('\\', '/'))
  if (isBundled(path)) return 'bundled, not compared'
  const sources = new Set(
    listed('src')
      .filter((file) => /\.ts$/.test(file))
      .map((file) => file.slice(0, -3)),
  )
  const built = new Set(
    listed('dist')
      .filter((file) => /\.js$/.test(file))
      .map((file) => file.slice(0, -3)),
  )
  expectNone(
    [...built].filter((file) => !sources.has(file)),
    'built files without a source (remove packages/*/dist and build again)',
  )
  expectNone(
    [...sources].filter((file) => !built.has(file)),
    'sources that are not built (npm run build)',
  )
  return `${sources.size} modules`
}
