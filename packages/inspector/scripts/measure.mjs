import { execFileSync } from 'node:child_process'
import { mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { encodeFrame, modelSchema, tensor } from 'kiln-format'
import { openFile } from 'kiln-format/node'
import { pageFiles } from '../../cli/dist/view/page-files.js'
import { startServer } from '../../cli/dist/view/server.js'
import { findChromium, startBrowser } from './browser.mjs'

// First view of a sparse file of 10 GiB with 50,000 tensors through the server of `kiln view`: time and memory; and
// the page's scripts in gzip. Needs everything built: npm run build.

const COUNT = 50_000
const SIZE = 10 * 2 ** 30
const dist = fileURLToPath(new URL('../dist', import.meta.url))

/** A model file of so many tensors and bytes, whose payloads are holes. */
async function writeSparse(path) {
  const length = Math.floor(SIZE / COUNT / 64) * 64
  const names = Array.from({ length: COUNT }, (_, i) => `model.layers.${Math.floor(i / 50)}.block_${i % 50}.weight`)
  const tensors = names.map((name) => tensor(name, 'u8', [0], new Uint8Array(0)))
  const metadata = new Map([['name', 'sparse']])
  const frame = encodeFrame(modelSchema, { tensors, metadata }, { schema: true })
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  const start = view.getUint32(8, true)
  const table = Number(view.getBigUint64(start + 24, true))
  const tail = frame.subarray(start + table)
  for (let i = 0; i < COUNT; i++) {
    const at = start + 64 + i * 128
    view.setBigUint64(at, BigInt(length), true)
    view.setBigUint64(at + 64, BigInt(i * length), true)
    view.setBigUint64(at + 72, BigInt(length), true)
  }
  const total = table + COUNT * length
  view.setBigUint64(start + 8, BigInt(total), true)
  view.setBigUint64(24, BigInt(total + tail.length), true)
  const file = await open(path, 'w')
  await file.write(frame.subarray(0, start + table))
  await file.write(tail, 0, tail.length, start + total)
  await file.close()
}

/** Resident memory of a process and its children, in MiB, by its command line. */
function memoryOf(pid) {
  const processes = execFileSync('ps', ['-eo', 'pid,ppid,rss,args'], { encoding: 'utf8' })
    .split('\n')
    .slice(1)
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, id, parent, rss, args]) => ({ id: Number(id), parent: Number(parent), rss: Number(rss) / 1024, args }))
  const own = new Set([pid])
  for (let grown = true; grown;) {
    grown = false
    for (const { id, parent } of processes) {
      if (!own.has(parent) || own.has(id)) continue
      own.add(id)
      grown = true
    }
  }
  const renderers = processes.filter(({ id, args }) => own.has(id) && args.includes('--type=renderer'))
  return Math.max(...renderers.map(({ rss }) => rss))
}

const folder = await mkdtemp(join(tmpdir(), 'kiln-measure-'))
const chromium = findChromium()
if (chromium === undefined) throw new Error('no Chromium or Chrome is found; set KILN_CHROMIUM to one')
const path = join(folder, 'sparse.kiln')
await writeSparse(path)
const source = await openFile(path)
const server = await startServer(await pageFiles(dist), source, 'sparse.kiln', 0)
const browser = await startBrowser(chromium)
try {
  for (let run = 0; run < 3; run++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const page = await context.newPage()
    const client = await context.newCDPSession(page)
    await client.send('Performance.enable', { timeDomain: 'threadTicks' })
    const began = performance.now()
    await page.goto(server.url)
    await page.getByText('Kiln model file').waitFor()
    const seen = performance.now() - began
    const { metrics } = await client.send('Performance.getMetrics')
    const busy = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
    await page.getByRole('link', { name: 'Tensors' }).click()
    await page.locator('.grid-row').first().waitFor()
    const listed = performance.now() - began
    await page.waitForTimeout(1500)
    const { usedSize } = await client.send('Runtime.getHeapUsage')
    const rss = memoryOf(ownPid())
    console.log(
      `overview after ${Math.round(seen)} ms (${Math.round(busy * 1000)} ms of processor time), ` +
        `list after ${Math.round(listed)} ms, heap ${(usedSize / 2 ** 20).toFixed(0)} MiB, ` +
        `renderer ${rss.toFixed(0)} MiB resident`,
    )
    await context.close()
  }
} finally {
  await browser.close()
  await server.close()
  await source.close()
  await rm(folder, { recursive: true })
}

function ownPid() {
  return process.pid
}

const html = await readFile(join(dist, 'index.html'), 'utf8')
for (const name of (await readdir(join(dist, 'assets'))).filter((file) => file.endsWith('.js'))) {
  const bytes = await readFile(join(dist, 'assets', name))
  console.log(
    `${name}: ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} in gzip` +
      (html.includes(name) ? ', at first load' : ''),
  )
}
