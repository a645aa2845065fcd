// What every runtime is asked to do. Neither Node nor the DOM: the library and its case runner alone.

/** How many failures are kept to be told. */
const TOLD = 5

/**
 * Runs all cases of the given files and what they can't say, with modules loaded by `load(specifier)`.
 * Returns how many held, how many did not, and the first that did not.
 */
export async function work(files, load) {
  const tally = { passed: 0, failed: 0, failures: [] }
  const note = (name, faults) => {
    if (faults.length === 0) tally.passed++
    else {
      tally.failed++
      if (tally.failures.length < TOLD) tally.failures.push(`${name}: ${faults[0]}`)
    }
  }
  const { runCases } = await load('kiln-cli/conformance')
  for (const { name, text } of files) {
    let count = 0
    for await (const result of runCases(text)) {
      count++
      note(
        `${name}: ${result.name}`,
        result.mismatches.map(({ check, expected, came }) => `${check}: expected ${expected}, came ${came}`),
      )
    }
    if (count === 0) note(name, ['it holds no case'])
  }
  for (const [name, check] of checks) note(name, await faultsOf(check, load))
  return tally
}

async function faultsOf(check, load) {
  try {
    return await check(load)
  } catch (error) {
    return [String(error)]
  }
}

const checks = [
  ['every entry loads', entriesLoad],
  ['every f16 code comes back from f32', (load) => codesComeBack(load, 'f32')],
  ['every f16 code comes back from f64', (load) => codesComeBack(load, 'f64')],
  ['f16 rounds to even', roundsToEven],
]

async function entriesLoad(load) {
  const faults = []
  for (const entry of [
    'kiln-format',
    'kiln-format/numeric',
    'kiln-format/walk',
    'kiln-format/runtime',
    'kiln-format/debug',
  ]) {
    if (Object.keys(await load(entry)).length === 0) faults.push(`${entry} exports nothing`)
  }
  return faults
}

async function codesComeBack(load, through) {
  const { narrow, widen } = await load('kiln-format/numeric')
  const codes = Uint16Array.from({ length: 0x10000 }, (_, code) => code)
  const numbers = widen({ dtype: 'f16', shape: [codes.length], bytes: new Uint8Array(codes.buffer) }, through)
  const bytes = narrow(numbers, 'f16', { mode: 'overflow' })
  const back = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2)
  const wanted = codes.map((code) => (code % 0x8000 > 0x7c00 ? 0x7e00 : code))
  const at = back.findIndex((code, i) => code !== wanted[i])
  return at < 0 ? [] : [`code ${at} came back as ${back[at]}`]
}

async function roundsToEven(load) {
  const { narrow } = await load('kiln-format/numeric')
  const pairs = [
    [1 + 2 ** -11, 0x3c00],
    [1 + 3 * 2 ** -11, 0x3c02],
    [65519, 0x7bff],
    [65520, 0x7c00],
    [2 ** -25, 0],
    [1.5 * 2 ** -24, 2],
  ]
  const bytes = narrow(
    Float64Array.from(pairs, ([value]) => value),
    'f16',
    { mode: 'overflow' },
  )
  const codes = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return pairs.flatMap(([value, want], i) => {
    const came = codes.getUint16(i * 2, true)
    return came === want ? [] : [`${value} became ${came}, not ${want}`]
  })
}
