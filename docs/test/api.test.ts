import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { exampleOf, snippets } from '../scripts/examples.mjs'
import { root } from './documents.js'

const ENTRIES: Readonly<Record<string, string>> = {
  'kiln-format': 'packages/kiln/src/index.ts',
  'kiln-format/node': 'packages/kiln/src/node/index.ts',
  'kiln-format/numeric': 'packages/kiln/src/numeric/index.ts',
  'kiln-format/walk': 'packages/kiln/src/walk/index.ts',
  'kiln-format/runtime': 'packages/kiln/src/runtime/index.ts',
  'kiln-format/debug': 'packages/kiln/src/debug/index.ts',
  'kiln-convert': 'packages/convert/src/index.ts',
}

const config = ts.getParsedCommandLineOfConfigFile(
  fileURLToPath(new URL('../tsconfig.api.json', import.meta.url)),
  {},
  { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (diagnostic) => { throw new Error(String(diagnostic.messageText)) } },
)!
const program = ts.createProgram(config.fileNames, config.options)
const checker = program.getTypeChecker()

interface Exported {
  readonly name: string
  readonly symbol: ts.Symbol
  readonly isValue: boolean
}

function exportsOf(path: string): Exported[] {
  const file = program.getSourceFile(root + path)
  const module = file === undefined ? undefined : checker.getSymbolAtLocation(file)
  if (module === undefined) throw new Error(`${path} is no module`)
  return checker.getExportsOfModule(module).map((symbol) => {
    const meant = (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol)
    return { name: symbol.name, symbol: meant, isValue: (meant.flags & ts.SymbolFlags.Value) !== 0 }
  })
}

// What can't fail, or says so in a sentence that names no code.
const WITHOUT_ERRORS = new Set([
  'crc32', 'dtypeOfCode', 'elementCount', 'formatHash', 'isSchema', 'isKilnError', 'payloadLength', 'scaleCount', 'walk',
  'dequantizesGgml', 'sniff', 'fromKiln',
])

const documentation = (symbol: ts.Symbol): string => ts.displayPartsToString(symbol.getDocumentationComment(checker))

const programs = snippets()

describe.each(Object.entries(ENTRIES))('%s', (module, path) => {
  const exported = exportsOf(path)

  test('every export says what it is', () => {
    expect(exported.length).toBeGreaterThan(0)
    expect(exported.filter(({ symbol }) => documentation(symbol) === '').map(({ name }) => name)).toEqual([])
  })

  // Either a code, or another function whose errors they are.
  test.skipIf(module === 'kiln-format/runtime' || module === 'kiln-format/debug')('every function says how it fails (not of runtime and debug)', () => {
    const functions = exported.filter(({ symbol }) => (symbol.flags & ts.SymbolFlags.Function) !== 0)
    const says = /`(EOF|TRAILING|FRAME|TYPE|LIMIT|UTF8|CHECKSUM|SCHEMA|ALIGN)`|KilnError|[Tt]hrows|\b(As|as for|those of) (\{@link \w+\}|`\w+`|\w+)/
    const silent = functions.filter(({ name, symbol }) => !WITHOUT_ERRORS.has(name) && !says.test(documentation(symbol)))
    expect(silent.map(({ name }) => name)).toEqual([])
  })

  // Code that `kiln gen` writes calls what is in runtime, and nobody else; debug is for tests.
  test.skipIf(module === 'kiln-format/runtime' || module === 'kiln-format/debug')('a page shows each function and class at work (not of runtime and debug, which nobody calls by hand)', () => {
    const values = exported.filter(({ isValue }) => isValue)
    expect(values.filter(({ name }) => exampleOf(programs, module, name) === undefined).map(({ name }) => name)).toEqual([])
  })
})
