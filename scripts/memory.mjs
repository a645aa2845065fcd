// How much memory a conversion takes: a sparse safetensors file of 2 GiB to Kiln and back, each under 200 MiB resident.
// node scripts/memory.mjs [bytes] (Linux: the figure is the kernel's own, VmHWM)
import { spawn } from 'node:child_process'
import { mkdtempSync, openSync, closeSync, ftruncateSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as later } from 'node:timers/promises'

const MIB = 2 ** 20
const LIMIT = 200 * MIB
const TENSORS = 8
const size = Number(process.argv[2] ?? 2 ** 31)
const bin = join(dirname(dirname(fileURLToPath(import.meta.url))), 'packages/cli/bin/kiln.js')
const folder = mkdtempSync(join(tmpdir(), 'kiln-memory-'))

/** A safetensors file whose payloads take no room on the disk. */
function sparse(path) {
  const rows = Math.floor(size / TENSORS / 4096)
  const header = {}
  for (let i = 0; i < TENSORS; i++) {
    header[`layers.${i}.weight`] = { dtype: 'F32', shape: [rows, 1024], data_offsets: [i * rows * 4096, (i + 1) * rows * 4096] }
  }
  const text = JSON.stringify(header)
  const json = Buffer.from(text.padEnd(Math.ceil(text.length / 8) * 8))
  const start = Buffer.alloc(8)
  start.writeBigUInt64LE(BigInt(json.length))
  const file = openSync(path, 'w')
  writeSync(file, Buffer.concat([start, json]))
  ftruncateSync(file, 8 + json.length + TENSORS * rows * 4096)
  closeSync(file)
}

/** Runs the command and gives the most memory that it had resident, in bytes. */
async function peakOf(args) {
  const child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'inherit', 'inherit'] })
  const ended = new Promise((resolve) => child.on('close', resolve))
  let peak = 0
  while (child.exitCode === null) {
    try {
      const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))
      peak = Math.max(peak, Number(line?.[1] ?? 0) * 1024)
    } catch {
      break
    }
    await later(20)
  }
  const code = await ended
  if (code !== 0) throw new Error(`kiln ${args.join(' ')} ended with ${code}`)
  return peak
}

let worst = 0
try {
  const from = join(folder, 'big.safetensors')
  sparse(from)
  const steps = [
    ['convert', from, join(folder, 'big.kiln')],
    ['convert', join(folder, 'big.kiln'), join(folder, 'again.safetensors')],
  ]
  for (const step of steps) {
    const start = Date.now()
    const peak = await peakOf(step)
    worst = Math.max(worst, peak)
    const bytes = statSync(step[2]).size
    console.log(`  ${(bytes / MIB).toFixed(0)} MiB in ${((Date.now() - start) / 1000).toFixed(1)} s, at most ${(peak / MIB).toFixed(0)} MiB resident`)
    rmSync(step[1])
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${worst < LIMIT ? 'under' : 'OVER'} the limit of ${LIMIT / MIB} MiB`)
process.exitCode = worst < LIMIT ? 0 : 1
