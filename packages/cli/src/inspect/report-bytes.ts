import type { ByteSource } from 'kiln-format'
import { walkSource, type Span } from 'kiln-format/walk'
import { byteMapLines } from '../terminal/byte-map.js'
import { HexText } from '../terminal/json-text.js'
import type { Terminal } from '../terminal/terminal.js'
import type { InspectSettings } from './report.js'

/**
 * What every byte of a Kiln file is, from the first to the last; payloads are not read. A file that is bad is shown as far
 * as it is good, with the fault after that, and makes the exit code 1.
 */
export async function inspectBytes(source: ByteSource, settings: InspectSettings, rules: boolean, terminal: Terminal): Promise<void> {
  async function* spans(): AsyncGenerator<Span> {
    for await (const span of walkSource(source, { schemas: settings.schema ?? 'inherit' })) {
      if (span.fault !== undefined) terminal.exitCode = 1
      yield span
    }
  }
  try {
    if (settings.json) {
      const rows: object[] = []
      for await (const { value, ...span } of spans()) rows.push(value === undefined ? span : { ...span, value: shown(value) })
      await terminal.json({ file: settings.file, format: 'kiln', bytes: source.size, spans: rows })
      return
    }
    for await (const line of byteMapLines(spans(), source.size, rules)) await terminal.line(line)
  } finally {
    await source.close?.()
  }
}

/** Bytes and lists of numbers as the hex digits of their bytes; all else as JSON has it. */
function shown(value: unknown): unknown {
  if (value instanceof Uint8Array) return new HexText(value)
  return typeof value === 'object' && value !== null && 'bytes' in value ? new HexText(value.bytes as Uint8Array) : value
}
