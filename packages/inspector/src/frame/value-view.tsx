import { useMemo, useState } from 'preact/hooks'
import { parseSchema, type Schema } from 'kiln-format'
import { walkSource, type Span } from 'kiln-format/walk'
import { navigate, type Route } from '../app/route.js'
import { faultOf } from '../model/fault.js'
import type { FrameSummary, OpenedFile } from '../model/opened-file.js'
import { partOf } from '../model/part-source.js'
import { rememberingSource } from '../model/remembering-source.js'
import { bytesText, countText, shown } from '../ui/format.js'
import { Busy, CopyButton, Facts, Notice, Section } from '../ui/parts.js'
import { useTask } from '../ui/use-task.js'
import { schemaLines } from './schema-lines.js'
import type { ValueNode } from './value-node.js'
import { ValueTree } from './value-tree.js'
import { isLong, WholeValue } from './whole-value.js'

/** A frame: its header, its schema, and its value as a tree. */
export function ValueView({ file, route }: { readonly file: OpenedFile; readonly route: Route }) {
  const { frames } = file
  const wanted = Number(route.frame ?? 0)
  const index = Number.isInteger(wanted) && wanted >= 0 && wanted < frames.length ? wanted : 0
  const frame = frames[index]
  return (
    <div class="page value-view">
      <h1 class="visually-hidden">Value</h1>
      {frames.length < 2 ? null : <FrameChoice index={index} count={frames.length} />}
      {frame === undefined ? (
        <p class="empty">No frame of the file could be read.</p>
      ) : (
        <FrameValue key={index} file={file} frame={frame} />
      )}
    </div>
  )
}

function FrameChoice({ index, count }: { readonly index: number; readonly count: number }) {
  const to = (next: number): void => navigate({ frame: next === 0 ? undefined : String(next) })
  return (
    <div class="toolbar">
      <button type="button" class="quiet" disabled={index === 0} onClick={() => to(index - 1)}>
        ← Frame before
      </button>
      <label>
        Frame
        <input
          type="number"
          min={0}
          max={count - 1}
          value={index}
          onChange={(event) => to(Math.min(Math.max(Number(event.currentTarget.value), 0), count - 1))}
        />
      </label>
      <span class="quiet-text number">0 to {countText(count - 1)}</span>
      <button type="button" class="quiet" disabled={index === count - 1} onClick={() => to(index + 1)}>
        Frame after →
      </button>
    </div>
  )
}

function FrameValue({ file, frame }: { readonly file: OpenedFile; readonly frame: FrameSummary }) {
  const source = useMemo(() => rememberingSource(file.source), [file])
  const schema = useMemo(() => (frame.schema === undefined ? undefined : parseSchema(frame.schema)), [frame])
  const task = useTask((signal) => headerOf(partOf(source, frame.offset, frame.length), schema, signal), [source, frame])
  if (task.state === 'busy') return <Busy what="Reading the frame…" />
  if (task.state === 'failed')
    return (
      <Notice kind="fault" title="The frame can’t be read">
        {faultOf(task.error).detail}
      </Notice>
    )
  const { fields, body } = task.value
  const root: ValueNode | undefined =
    schema === undefined || body === undefined
      ? undefined
      : { label: 'value', schema, offset: frame.offset + body.offset, length: body.length, span: body }
  return (
    <>
      {root === undefined ? null : (
        <Section title="Value">
          <TreeOf file={file} root={root} />
        </Section>
      )}
      <div class="columns">
        {schema === undefined ? null : (
          <Section title="Schema" aside={<CopyButton text={() => schema.text} what="schema" />}>
            <pre class="box" tabIndex={0} aria-label="Schema">
              {schemaLines(schema)}
            </pre>
          </Section>
        )}
        <Section title="Header">
          <Facts
            rows={[
              ['Frame', `${bytesText(frame.length)} from byte ${countText(frame.offset)}`],
              ...fields.map((span) => [lastStep(span.path), <code>{shown(String(span.value))}</code>] as const),
            ]}
          />
        </Section>
      </div>
    </>
  )
}

function TreeOf({ file, root }: { readonly file: OpenedFile; readonly root: ValueNode }) {
  const { offset, length, schema } = root
  // The same object as long as it is the same value, or the tree would begin anew.
  const kept = useMemo(() => root, [offset, length, schema])
  const [chosen, setChosen] = useState<ValueNode | undefined>(undefined)
  return (
    <>
      <ValueTree source={file.source} root={kept} onChoose={(node) => setChosen(isLong(node) ? node : undefined)} />
      {chosen === undefined ? null : <WholeValue source={file.source} node={chosen} />}
    </>
  )
}

function lastStep(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

/** The header's fields and where the body lies. */
async function headerOf(
  source: Parameters<typeof walkSource>[0],
  schemas: Schema | undefined,
  signal: AbortSignal,
): Promise<{ fields: Span[]; body: Span | undefined }> {
  const fields: Span[] = []
  for await (const span of walkSource(source, { as: 'frame', depth: 1, schemas, signal })) {
    if (span.kind === 'frame-header') fields.push(span)
    else if (span.kind !== 'schema-text' && span.kind !== 'padding' && span.kind !== 'rest')
      return { fields, body: span.kind === 'error' ? undefined : span }
  }
  return { fields, body: undefined }
}
