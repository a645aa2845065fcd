import { createRequire } from 'node:module'
import { runInThisContext } from 'node:vm'
import ts from 'typescript'
import type { MessageWriter } from 'kiln-format'
import * as runtime from 'kiln-format/runtime'

/** The functions of a generated module, by what they do. */
export interface Generated {
  readonly text: string
  readonly hash: bigint
  encode(value: unknown): Uint8Array
  encodeInto(value: unknown, target: Uint8Array): number
  encodeParts(value: unknown): Uint8Array[]
  encodeReusing(writer: MessageWriter, value: unknown): Uint8Array
  encodedSize(value: unknown): number
  decode(bytes: ArrayBufferView | ArrayBufferLike, options?: object): unknown
  view(bytes: ArrayBufferView | ArrayBufferLike, options?: object): unknown
  /** Of a root that is a list of anything but numbers. */
  readonly iterate: Iterate | undefined
  readonly iterateView: Iterate | undefined
  /** Of a root that has tensors somewhere. */
  readonly place: ((bytes: ArrayBufferView | ArrayBufferLike, options?: object) => Uint8Array) | undefined
}

type Iterate = (bytes: ArrayBufferView | ArrayBufferLike, options?: object) => Generator<unknown, undefined>

type Exports = Record<string, unknown>

const require = createRequire(import.meta.url)

/**
 * Runs a module as it stands: its types are only erased, and what it imports is the library that the other tests run, or
 * one of `modules`.
 */
export function loadModule(
  code: string,
  modules: Readonly<Record<string, unknown>> = {},
  log: object = console,
): Exports {
  const { outputText, diagnostics } = ts.transpileModule(code, {
    reportDiagnostics: true,
    compilerOptions: {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
      isolatedModules: true,
      erasableSyntaxOnly: true,
    },
  })
  if (diagnostics !== undefined && diagnostics.length > 0) {
    throw new Error(
      ts.formatDiagnostics(diagnostics, {
        getCanonicalFileName: (f) => f,
        getCurrentDirectory: () => '',
        getNewLine: () => '\n',
      }),
    )
  }
  const exports: Exports = {}
  const run = runInThisContext(`(function (exports, require, console) {${outputText}\n})`) as (
    exports: Exports,
    require: unknown,
    console: object,
  ) => void
  const known: Readonly<Record<string, unknown>> = { 'kiln-format/runtime': runtime, ...modules }
  run(exports, (name: string): unknown => known[name] ?? require(name), log)
  return exports
}

/** The functions for the root type of this name. */
export function functionsOf(exports: Exports, name: string): Generated {
  const variable = name.charAt(0).toLowerCase() + name.slice(1)
  return {
    text: exports[`${variable}Text`] as string,
    hash: exports[`${variable}Hash`] as bigint,
    encode: exports[`encode${name}`] as Generated['encode'],
    encodeInto: exports[`encode${name}Into`] as Generated['encodeInto'],
    encodeParts: exports[`encode${name}Parts`] as Generated['encodeParts'],
    encodeReusing: exports[`encode${name}With`] as Generated['encodeReusing'],
    encodedSize: exports[`encodedSize${name}`] as Generated['encodedSize'],
    decode: exports[`decode${name}`] as Generated['decode'],
    view: exports[`view${name}`] as Generated['view'],
    iterate: exports[`iterate${name}`] as Iterate | undefined,
    iterateView: exports[`iterate${name}View`] as Iterate | undefined,
    place: exports[`place${name}`] as Generated['place'],
  }
}
