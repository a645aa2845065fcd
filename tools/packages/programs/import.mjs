import { strict as assert } from 'node:assert'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  bytesSink,
  bytesSource,
  decode,
  encode,
  encodeDirectory,
  k,
  open,
  openDirectory,
  readDirectory,
  tensor,
  writeDirectory,
} from 'kiln-format'
import { fromKiln, openSafetensors, writeSafetensors } from 'kiln-convert'
import { allocations } from 'kiln-format/debug'
import { fileSink, openFile } from 'kiln-format/node'
import { narrow, widen } from 'kiln-format/numeric'
import * as runtime from 'kiln-format/runtime'
import * as walk from 'kiln-format/walk'

const Point = k.struct({ name: k.string, at: k.list(k.f32) })
assert.deepEqual(decode(Point, encode(Point, { name: 'a', at: [1, 2.5] })), { name: 'a', at: Float32Array.of(1, 2.5) })

const tensors = [tensor('w', 'f32', [2], Float32Array.of(1.5, -2))]
const block = encodeDirectory(tensors)
assert.deepEqual(readDirectory(block).get('w').borrow('f32'), Float32Array.of(1.5, -2))
assert.deepEqual(
  widen({ dtype: 'f16', shape: [2], bytes: narrow(Float32Array.of(1.5, -2), 'f16', { mode: 'saturate' }) }),
  Float32Array.of(1.5, -2),
)

const sink = bytesSink()
await writeSafetensors({ tensors: fromKiln(await openDirectory(bytesSource(block))) }, sink)
assert.equal((await openSafetensors(bytesSource(sink.bytes()))).tensors[0].name, 'w')

const folder = mkdtempSync(join(tmpdir(), 'kiln-import-'))
try {
  await writeDirectory(await fileSink(join(folder, 'a.kiln')), tensors)
  const opened = await open(await openFile(join(folder, 'a.kiln')))
  await opened.close()
} finally {
  rmSync(folder, { recursive: true })
}

assert.equal(typeof allocations, 'function')
assert.ok(Object.keys(runtime).length > 0 && Object.keys(walk).length > 0)
console.log('all as written')
