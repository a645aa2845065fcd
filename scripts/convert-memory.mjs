// How much memory a conversion takes: a sparse safetensors file of 2 GiB into a Kiln model file, into safetensors and
// into GGUF. Prints the most resident memory of each, in a process of its own, and ends with 1 over 200 MiB. Uses
// the built packages (npm run build) and twice the file's size of disk for a moment, unless it is given a folder.
import { spawnSync } from 'node:child_process'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fromKiln, openForeign, writeGguf, writeSafetensors } from 'kiln-convert'
import { open as openKiln, writeModel } from 'kiln-format'
import { fileSink, openFile } from 'kiln-format/node'

const GIB = 2 ** 30
const MOST = 200 * 2 ** 20
const TENSORS = 16

/** Each conversion: what it reads, what it writes, and how. */
const CONVERSIONS = {
  'safetensors to kiln': [
    'in.safetensors',
    'out.kiln',
    async (source, sink) => writeModel(sink, await openForeign(source)),
  ],
  'kiln to safetensors': [
    'out.kiln',
    'out.safetensors',
    async (source, sink) => {
      const model = await openKiln(source)
      await writeSafetensors({ tensors: fromKiln(model), metadata: model.metadata }, sink)
    },
  ],
  'safetensors to gguf': [
    'in.safetensors',
    'out.gguf',
    async (source, sink) => writeGguf(await openForeign(source), sink),
  ],
}

/** A file whose payloads are a hole but for their first and last bytes. */
async function makeSparse(path, size) {
  const each = size / TENSORS
  const names = Array.from({ length: TENSORS }, (_, i) => `layer.${String(i).padStart(2, '0')}`)
  const entries = names.map((name, i) => [
    name,
    { dtype: 'F32', shape: [each / 4096, 1024], data_offsets: [i * each, (i + 1) * each] },
  ])
  const header = Buffer.from(JSON.stringify(Object.fromEntries(entries)))
  const head = Buffer.alloc(8)
  head.writeBigUInt64LE(BigInt(header.length))
  const file = await open(path, 'w')
  await file.write(Buffer.concat([head, header]))
  const start = 8 + header.length
  await file.truncate(start + size)
  for (let i = 0; i < TENSORS; i++) {
    await file.write(Buffer.from([i + 1]), 0, 1, start + i * each)
    await file.write(Buffer.from([i + 1]), 0, 1, start + (i + 1) * each - 1)
  }
  await file.close()
}

async function convertOne(name, folder) {
  const [from, to, run] = CONVERSIONS[name]
  const source = await openFile(join(folder, from))
  await run(source, await fileSink(join(folder, to)))
  await source.close()
  // In kibibytes on every system.
  console.log(process.resourceUsage().maxRSS * 1024)
}

async function main() {
  const folder = await mkdtemp(join(process.argv[2] ?? tmpdir(), 'kiln-memory-'))
  try {
    await makeSparse(join(folder, 'in.safetensors'), 2 * GIB)
    for (const name of Object.keys(CONVERSIONS)) {
      const start = performance.now()
      const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), '--one', name, folder], {
        encoding: 'utf8',
      })
      if (child.status !== 0) throw new Error(child.stderr)
      const most = Number(child.stdout)
      const seconds = ((performance.now() - start) / 1000).toFixed(1)
      console.log(
        `${name.padEnd(20)} 2 GiB in ${seconds.padStart(6)} s, at most ${(most / 2 ** 20).toFixed(0)} MiB resident`,
      )
      if (most > MOST) process.exitCode = 1
      if (name !== 'safetensors to kiln') await rm(join(folder, CONVERSIONS[name][1]))
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

if (process.argv[2] === '--one') await convertOne(process.argv[3], process.argv[4])
else await main()
