import { runInThisContext } from 'node:vm'
import * as runtime from 'kiln-format/runtime'
import ts from 'typescript'
import { emitModule } from '../../packages/cli/dist/gen/emit/module.js'
import { modelOfSchema } from '../../packages/cli/dist/gen/model/from-kiln.js'

/** The functions that `kiln gen` writes for a schema, run as they stand with their types erased. */
export function generatedFor(schema) {
  const { code } = emitModule({ document: { root: modelOfSchema(schema), docs: {} }, schema, name: 'Root', source: 'fuzz', int64: 'bigint' })
  const { outputText } = ts.transpileModule(code, { compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 } })
  const exports = {}
  runInThisContext(`(function (exports, require) {${outputText}\n})`)(exports, (name) => {
    if (name === 'kiln-format/runtime') return runtime
    throw new Error(`the module imports ${name}`)
  })
  return { decode: exports.decodeRoot, view: exports.viewRoot, encode: exports.encodeRoot }
}

/** What the compiler says of the grammar of a module; nothing if all is well. */
export function syntaxErrors(code) {
  const { diagnostics } = ts.transpileModule(code, { reportDiagnostics: true, compilerOptions: { target: ts.ScriptTarget.ES2022, isolatedModules: true } })
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}
