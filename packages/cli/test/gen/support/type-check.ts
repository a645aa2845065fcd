import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const repository = fileURLToPath(new URL('../../../../../', import.meta.url))

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2023.d.ts'],
  types: [],
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitReturns: true,
  noImplicitOverride: true,
  noFallthroughCasesInSwitch: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  isolatedModules: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  paths: {
    'kiln-format': [`${repository}packages/kiln/src/index.ts`],
    'kiln-format/runtime': [`${repository}packages/kiln/src/runtime/index.ts`],
  },
}

/** What the strictest settings of the compiler say of some modules in one program, by name; nothing if all is well. */
export function typeErrors(modules: ReadonlyMap<string, string>): string[] {
  const folder = `${repository}packages/cli/test/gen/.virtual/`
  const texts = new Map([...modules].map(([name, text]) => [`${folder}${name}`, text]))
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists, readFile } = host
  host.fileExists = (path) => texts.has(path) || fileExists.call(host, path)
  host.directoryExists = (path) => `${path}/` === folder || ts.sys.directoryExists(path)
  host.readFile = (path) => texts.get(path) ?? readFile.call(host, path)
  host.getSourceFile = (path, ...rest) => {
    const text = texts.get(path)
    return text === undefined
      ? getSourceFile.call(host, path, ...rest)
      : ts.createSourceFile(path, text, ts.ScriptTarget.ES2022)
  }
  const program = ts.createProgram([...texts.keys()], options, host)
  // The library's own sources are checked by its own settings.
  return [...texts.keys()].flatMap((path) => {
    const file = program.getSourceFile(path)
    const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]
    return found.map(({ messageText, start }) => {
      const line = file!.getLineAndCharacterOfPosition(start ?? 0).line + 1
      return `${path.slice(folder.length)}:${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
    })
  })
}

export function readDocument(name: string): string {
  return readFileSync(new URL(`../documents/${name}`, import.meta.url), 'utf8')
}
