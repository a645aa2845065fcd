import type { ByteSource } from 'kiln-format'
import { faultOf } from '../model/fault.js'
import { bytesText, countText, hexText, plural, shown, shownLines } from '../ui/format.js'
import { Busy, CopyButton, Notice, Section } from '../ui/parts.js'
import { useTask } from '../ui/use-task.js'
import type { ValueNode } from './value-node.js'

/** Of longer text and bytes, so much is read and shown. */
const MOST = 200_000
const MOST_BYTES = 4096

/** Whether a value says more than its row in the tree can show. */
export function isLong({ schema, length, fault }: ValueNode): boolean {
  return fault === undefined && (schema.kind === 'string' || schema.kind === 'bytes') && length > 4
}

/** The whole of a text or of bytes, read when it is asked for. */
export function WholeValue({ source, node }: { readonly source: ByteSource; readonly node: ValueNode }) {
  const { schema, offset, label } = node
  // The length of four bytes stands before the value.
  const length = node.length - 4
  const most = schema.kind === 'string' ? MOST : MOST_BYTES
  const task = useTask(
    (signal) => source.read(offset + 4, Math.min(length, most), { signal }),
    [source, offset, length],
  )
  const note = length > most ? `; the first ${countText(most)} are shown` : ''
  const text =
    task.state !== 'done'
      ? ''
      : schema.kind === 'string'
        ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(task.value)
        : hexLines(task.value)
  return (
    <Section
      title={shown(label)}
      aside={task.state === 'done' ? <CopyButton text={() => text} what="value" /> : undefined}
    >
      <p class="quiet-text small number">
        {plural(length, 'byte')} ({bytesText(length)}){note}
      </p>
      {task.state === 'busy' ? <Busy what="Reading…" /> : null}
      {task.state === 'failed' ? (
        <Notice kind="fault" title="The value can’t be read">
          {faultOf(task.error).detail}
        </Notice>
      ) : null}
      {task.state === 'done' ? (
        <pre class="box" tabIndex={0} dir="auto" aria-label="Value">
          {shownLines(text)}
        </pre>
      ) : null}
    </Section>
  )
}

function hexLines(bytes: Uint8Array): string {
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += 32)
    lines.push(Array.from(bytes.subarray(at, at + 32), (byte) => hexText(byte)).join(' '))
  return lines.join('\n')
}
