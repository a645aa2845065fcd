// Which tests judge the mutants of which folder of packages/kiln/src, beside the folder's own.
const unit = (...paths) => paths.map((path) => `packages/kiln/test/${path}`)
const cases = ['spec/test/library.test.ts']

const suites = {
  errors: unit('errors/*', 'schema/*', 'frozen/*', 'frame/*', 'lazy/{open,slice}*', 'walk/walk*'),
  limits: unit('limits/*', 'misuse/*', 'frozen/*', 'frame/*', 'tensors/*'),
  schema: [...unit('schema/*', 'misuse/records*', 'frame/*'), ...cases],
  frame: [...unit('frame/*', 'misuse/frames*'), ...cases],
  sources: unit('sources/{abort,signals,sources,url}*', 'sources/url/*', 'misuse/sources*', 'lazy/open*', 'bytes/memory-gone*'),
  writing: unit('writing/*', 'misuse/writing*'),
  // Not tiling.test.ts: each mutant that lives would wait for 1,883 cases.
  walk: unit('walk/{golden,lying-source,source,walk}*', 'misuse/walk*', 'bytes/memory-gone*'),
  lazy: unit('lazy/*', 'misuse/sources*', 'sources/sources*'),
  node: unit('node/{file-sink,folder,open-file,unfinished,write-file}*', 'misuse/node*'),
  // Not the tests of the documentation, of imports and of what is exported: no mutant is in what they read.
  numeric: unit('numeric/ggml/*', 'numeric/{decode,dequantize,difference}*', 'numeric/[!dei]*', 'misuse/numeric*'),
  bytes: unit('bytes/*', 'misuse/{records,tensors}*', 'frozen/*', 'tensors/*'),
  frozen: unit('frozen/*', 'misuse/records*', 'runtime/*', 'tensors/{cases,tensor-input}*', 'frame/place-for*', 'bytes/memory-gone*'),
  tensors: unit('tensors/*', 'misuse/tensors*', 'bytes/memory-gone*', 'lazy/slice*', 'frozen/read*', 'writing/*'),
  runtime: unit('runtime/*'),
  debug: unit('frozen/allocation*', 'debug/*'),
}

export const folders = Object.keys(suites)

export function testsOf(folder) {
  const suite = suites[folder]
  if (suite === undefined) throw new Error(`no folder ${folder}; there are ${folders.join(', ')}`)
  return suite.map((path) => (path.endsWith('.ts') ? path : `${path}.test.ts`))
}

/** Folders that keep by a schema what they compile for it: tests whose schemas are constants compile once. */
export const keepers = new Set(['frozen'])
/**
 * Tests of numbers that take from 100 ms to seconds once every operator counts: all 65,536 codes, every boundary of
 * 16 bits, a million values, one more format the long way. Their like for fewer bits, and the tests of one source file
 * each, judge.
 */
const exhaustive = [
  /^b?f16 at every boundary/, /^every code of (b?f|u|i)16/, /^(b?f|u|i)16: narrow/, /^narrowing to (?!f32|f64)/,
  /^(int\d:\d+|mxfp[68]e\dm\d) as a stream/, /^[iu]64 in pieces/, /^ggml_(?!q4_k).* in pieces/, /^the scale of/, /^(i4|i8|e2m3) of shape/,
  /^(?!f8e4m3).*: many numbers of all sizes/, /^(?!rarely huge).*: the same as the plain way/, /^no digits are lost/, /^progress is told/,
  /^(?!mxfp4).*: dequantize\(quantize/, /^(?!nvfp4).* again is the same codes/, /^a quantized tensor can be quantized otherwise/,
  /^words come out alike/, /^bf16 by a loop/,
]

/** Tests that judge no mutant: they start processes with the built files, where no mutant is, or repeat one thing many times. */
const repeating = /allocates nothing a message|the heap does not grow either|at \d+ random moments|^5 GiB|^memory stays bounded|^a stream has the same statistics to the last bit|^1?\d,000 |^a file that may not be read|^a prefix read stops|^frames out of a stream give/

export const passedOver = { test: (name) => repeating.test(name) || exhaustive.some((names) => names.test(name)) }
