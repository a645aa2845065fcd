import type { Span } from 'kiln-format/walk'
import { go } from '../app/link.js'
import { tensorKey, tensorTitle } from '../tensors/naming.js'
import { linkTo } from '../app/route.js'
import { CODE_WORDS } from '../model/fault.js'
import type { OpenedFile } from '../model/opened-file.js'
import { bytesText, countText, hexText, shown } from '../ui/format.js'
import { Facts, Notice } from '../ui/parts.js'
import { KIND_NAMES } from './kinds.js'
import { valueText } from './value-text.js'

interface Props {
  readonly file: OpenedFile
  readonly span: Span | undefined
  readonly byte: number
  onGo(offset: number): void
}

/** What the byte at the cursor is: its field, what that says, and its rule. */
export function SpanDetails({ file, span, byte, onGo }: Props) {
  if (span === undefined) return <aside class="span-details" id="span-details" aria-live="polite" />
  const { offset, length, kind, path, type, rule, fault } = span
  const value = valueText(span)
  const end = offset + length
  return (
    <aside class="span-details" id="span-details" aria-live="polite" aria-label="The field at the byte">
      <p class="kind">
        <i class={`swatch k-${kind}`} aria-hidden="true" />
        {KIND_NAMES[kind]}
      </p>
      <h2 class="mono" dir="auto">
        {path === '' ? KIND_NAMES[kind] : shown(path)}
      </h2>
      {fault === undefined ? null : (
        <Notice kind="fault" title={`${CODE_WORDS[fault.code] ?? fault.code} (${fault.code})`}>
          {shown(fault.detail)}
        </Notice>
      )}
      {value === '' ? null : (
        <p class="span-value mono" dir="auto">
          {shown(value)}
        </p>
      )}
      <p class="rule">{rule}</p>
      <Facts
        rows={[
          [
            'Bytes',
            <span class="mono">
              {hexText(offset, 1)}
              {length > 1 ? `–${hexText(end - 1, 1)}` : ''}
            </span>,
          ],
          [
            'Length',
            <span class="number" title={`${countText(length)} bytes`}>
              {bytesText(length)}
            </span>,
          ],
          ...(type === undefined
            ? []
            : [['Type', <code>{shown(type.length > 120 ? `${type.slice(0, 120)}…` : type)}</code>] as const]),
          ...tensorRow(file, span),
          ['Byte', <span class="number">{countText(byte)}</span>],
        ]}
      />
      <div class="buttons">
        <button type="button" class="quiet" disabled={offset === 0} onClick={() => onGo(offset - 1)}>
          ← Field before
        </button>
        <button type="button" class="quiet" disabled={end >= file.size} onClick={() => onGo(end)}>
          Field after →
        </button>
      </div>
    </aside>
  )
}

/** Which tensor a payload, name or descriptor is of: found by its place, since a file may have several directories. */
function tensorRow(file: OpenedFile, span: Span): (readonly [string, preact.JSX.Element])[] {
  if (span.tensor === undefined) return []
  const index = tensorAt(file, span)
  if (index === undefined) return []
  const { name } = file.tensors.at(index)
  const change = {
    view: 'tensors',
    tensor: tensorKey(name, index),
    axes: undefined,
    at: undefined,
    pan: undefined,
  } as const
  return [
    [
      'Tensor',
      <a class="mono" dir="auto" href={linkTo(change)} onClick={go(change)}>
        {tensorTitle(name, index)}
      </a>,
    ],
  ]
}

function tensorAt({ tensors }: OpenedFile, { tensor = 0, offset, kind }: Span): number | undefined {
  if (tensors.length === 0) return undefined
  const first = tensor < tensors.length ? tensors.at(tensor) : undefined
  const fits = (candidate: ReturnType<typeof tensors.at>): boolean => {
    const { fileOffset = -1, descriptorOffset = -1 } = candidate
    if (kind === 'payload') return fileOffset === offset
    return kind === 'descriptor' ? offset >= descriptorOffset && offset < descriptorOffset + 128 : false
  }
  if (first !== undefined && (kind === 'name' || fits(first))) return tensor
  for (let i = 0; i < tensors.length; i++) if (fits(tensors.at(i))) return i
  return undefined
}
