import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { describe, expect, test } from 'vitest'

/** What is imported, and how much it may weigh; kB, minified and gzipped. `docs/sizes.md` is made of the same list. */
interface Subject {
  readonly what: string
  readonly import?: string
  readonly core?: boolean
  readonly limit: number
}

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const subjects = JSON.parse(readFileSync(at('../../../tools/packages/sizes.json'), 'utf8')) as readonly Subject[]
const OF_THE_FORMAT = /'(kiln-format(\/\w+)?|\.\/.*)'$/

/** Folders that the core does without: it is what encoding, decoding, views, frames and tensors need. */
const NOT_CORE = ['sources', 'lazy', 'writing']

function coreNames(): string[] {
  const index = readFileSync(at('../src/index.ts'), 'utf8')
  return [...index.matchAll(/^export \{ ([^}]*) \} from '\.\/(\w+)\//gm)].flatMap(([, names = '', folder = '']) =>
    NOT_CORE.includes(folder) ? [] : names.split(', '),
  )
}

/** Bytes of a program that exports what it imports: bundled, minified, gzipped. */
async function weigh(imported: string): Promise<number> {
  const entry = 'virtual:program'
  const program = `export ${imported.replace("'./", `'${at('../../../')}`)}`
  const output = (await build({
    configFile: false,
    root: at('..'),
    logLevel: 'error',
    resolve: {
      alias: [
        { find: /^kiln-format$/, replacement: at('../src/index.ts') },
        { find: /^kiln-format\/(\w+)$/, replacement: at('../src/$1/index.ts') },
      ],
    },
    plugins: [
      {
        name: 'program',
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? program : undefined),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      rolldownOptions: { input: entry, external: /^node:/, preserveEntrySignatures: 'strict' },
    },
  })) as Rolldown.RolldownOutput
  return gzipSync(output.output[0].code, { level: 9 }).length
}

describe('gzipped size', () => {
  test('the core is found in the index', () => {
    expect(coreNames()).toEqual(expect.arrayContaining(['decode', 'encode', 'view', 'encodeFrame', 'readDirectory']))
    expect(coreNames()).not.toEqual(expect.arrayContaining(['urlSource']))
  })

  for (const { what, core, limit, ...subject } of subjects) {
    const imported = core === true ? `{ ${coreNames().join(', ')} } from 'kiln-format'` : (subject.import ?? '')
    if (!OF_THE_FORMAT.test(imported)) continue
    test(`${what}: under ${limit} kB`, async () => {
      const bytes = await weigh(imported)
      expect(bytes).toBeGreaterThan(100)
      expect(bytes).toBeLessThanOrEqual(limit * 1000)
    })
  }
})
