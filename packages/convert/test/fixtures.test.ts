import * as convert from 'kiln-convert'
import { expect, test } from 'vitest'
import { checkFixtures, type FixtureRow } from '../../../scripts/fixtures/check.mjs'
import { hasFixtures } from './support/fixtures.js'
import { shared } from './support/shared.js'

/** Every file that has to be refused, with its code. A file that is not here has to give exactly what is beside it. */
const REFUSED: Readonly<Record<string, string>> = {
  'safetensors/reference-vectors/bad_empty_file.safetensors': 'EOF',
  'safetensors/reference-vectors/bad_header_not_utf8.safetensors': 'UTF8',
  'safetensors/reference-vectors/bad_header_too_large.safetensors': 'LIMIT',
  'safetensors/reference-vectors/bad_offsets_for_shape.safetensors': 'TYPE',
  'safetensors/reference-vectors/bad_shape_overflow.safetensors': 'TYPE',
  'safetensors/reference-vectors/bad_trailing_bytes.safetensors': 'TRAILING',
  'onnx/onnx/optional_has_element.textproto.onnx': 'FRAME',
  'onnx/onnxruntime/corrupt-model.onnx': 'FRAME',
  'onnx/onnxruntime/model_with_external_initializers.onnx': 'EOF',
  'onnx/onnxruntime/single_add.git-lfs-pointer.onnx': 'FRAME',
  'onnx/onnxruntime/test_arbitrary_external_file.onnx': 'TYPE',
  'onnx-tensorproto/equal_string.input_0.pb': 'TYPE',
  'onnx-tensorproto/optional_has_element_empty_optional_input.input_0.pb': 'TYPE',
}

const COUNTS = { safetensors: 28, onnx: 18, 'onnx-tensorproto': 12 } as const

test.skipIf(!hasFixtures).each(Object.entries(COUNTS))(
  `every fixture of %s gives exactly what is beside it, or is refused (from ${shared}/fixtures; set KILN_SHARED)`,
  async (format, count) => {
    const rows: FixtureRow[] = await checkFixtures(`${shared}/fixtures`, convert, [format])
    const got = rows.map(({ file, ok, result }) => [file, ok, /^refused: (\w+) /.exec(result)?.[1] ?? result])
    const want = rows.map(({ file }) => [file, true, REFUSED[file] ?? (file.endsWith('.bin') ? 'data of the models beside it' : 'exact')])
    expect(got).toEqual(want)
    expect(rows).toHaveLength(count)
  },
)
