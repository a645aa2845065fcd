import { useMemo } from 'preact/hooks'
import { dtypeShares, type DtypeShare } from '../model/dtype-groups.js'
import type { OpenedFile } from '../model/opened-file.js'
import { tensorKey, tensorTitle } from '../tensors/naming.js'
import { countText, largeText, percentText, plural, shapeText, shortened, shown } from '../ui/format.js'
import { Section, Size } from '../ui/parts.js'
import { CheckList } from './check-list.js'
import { FaultNotice } from './fault-notice.js'
import { go } from './link.js'
import { linkTo } from './route.js'
import { Verification } from './verification.js'

const LARGEST = 8
const FEW_KEYS = 6

export function Overview(props: { readonly file: OpenedFile }) {
  const { file } = props
  const shares = useMemo(() => dtypeShares(file.tensors), [file])
  const elements = shares.reduce((sum, share) => sum + share.elements, 0)
  const bytes = shares.reduce((sum, share) => sum + share.bytes, 0)
  return (
    <div class="page overview">
      <div class="title">
        <h1 dir="auto">{shown(file.name)}</h1>
        <p class="subtitle">{file.kind}</p>
      </div>
      {file.fault === undefined ? null : <FaultNotice fault={file.fault} kiln={file.kiln} />}
      <ul class="figures">
        <li>
          <strong>
            <Size bytes={file.size} />
          </strong>
          <span>in the file</span>
        </li>
        <li>
          <strong>{countText(file.tensors.length)}</strong>
          <span>{file.tensors.length === 1 ? 'tensor' : 'tensors'}</span>
        </li>
        <li>
          <strong title={countText(elements)}>{largeText(elements)}</strong>
          <span>{elements === 1 ? 'element' : 'elements'}</span>
        </li>
        {file.frames.length > 0 ? (
          <li>
            <strong>{countText(file.frames.length)}</strong>
            <span>{file.frames.length === 1 ? 'frame' : 'frames'}</span>
          </li>
        ) : null}
        {file.metadata.size > 0 ? (
          <li>
            <strong>{countText(file.metadata.size)}</strong>
            <span>{file.metadata.size === 1 ? 'metadata entry' : 'metadata entries'}</span>
          </li>
        ) : null}
      </ul>
      {shares.length === 0 ? null : <DtypeBar shares={shares} bytes={bytes} />}
      <div class="columns">
        <Checks file={file} />
        {file.kiln && file.fault === undefined ? <Verification file={file} /> : null}
        <Largest file={file} />
        <SomeMetadata file={file} />
        <Omitted file={file} />
      </div>
    </div>
  )
}

function DtypeBar(props: { readonly shares: readonly DtypeShare[]; readonly bytes: number }) {
  const { shares, bytes } = props
  return (
    <Section title="Dtypes by bytes">
      <div class="bar" aria-hidden="true">
        {shares.map(({ dtype, family, bytes: own }) => (
          <span
            key={dtype}
            class={`part family-${family}`}
            style={{ flexGrow: bytes === 0 ? 1 : own / bytes }}
            title={dtype}
          />
        ))}
      </div>
      <div class="scroll-x" tabIndex={0} role="region" aria-label="Dtypes">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">Dtype</th>
              <th scope="col" class="right">
                Tensors
              </th>
              <th scope="col" class="right">
                Elements
              </th>
              <th scope="col" class="right">
                Bytes
              </th>
              <th scope="col" class="right">
                Share
              </th>
            </tr>
          </thead>
          <tbody>
            {shares.map((share) => (
              <tr key={share.dtype}>
                <th scope="row">
                  <a
                    class="dtype"
                    href={linkTo({ view: 'tensors', find: share.dtype })}
                    onClick={go({ view: 'tensors', find: share.dtype, tensor: undefined })}
                  >
                    <i class={`dot family-${share.family}`} aria-hidden="true" />
                    {share.dtype}
                  </a>
                </th>
                <td class="right number">{countText(share.tensors)}</td>
                <td class="right number">{countText(share.elements)}</td>
                <td class="right number">
                  <Size bytes={share.bytes} />
                </td>
                <td class="right number">{percentText(share.bytes, bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  )
}

function Checks(props: { readonly file: OpenedFile }) {
  const { checked, fault } = props.file
  if (checked.length === 0) return null
  return (
    <Section title={fault === undefined ? 'Checks passed' : 'Checks passed before the fault'}>
      <CheckList checks={checked} />
    </Section>
  )
}

function Largest(props: { readonly file: OpenedFile }) {
  const { tensors } = props.file
  const largest = useMemo(() => largestOf(props.file), [props.file])
  if (tensors.length < 2) return null
  return (
    <Section
      title="Largest tensors"
      aside={
        <a
          href={linkTo({ view: 'tensors', sort: '-bytes' })}
          onClick={go({ view: 'tensors', sort: '-bytes', find: undefined })}
        >
          All {countText(tensors.length)}
        </a>
      }
    >
      <ul class="rows">
        {largest.map((tensor) => {
          const change = { view: 'tensors', tensor: tensorKey(tensor.name, tensor.index) } as const
          return (
            <li key={tensor.index}>
              <a class="grow mono" dir="auto" href={linkTo(change)} onClick={go(change)}>
                {tensorTitle(tensor.name, tensor.index)}
              </a>
              <span class="quiet-text mono">
                {tensor.dtype} {shapeText(tensor.shape)}
              </span>
              <span class="number">
                <Size bytes={tensor.byteLength} />
              </span>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}

function largestOf({ tensors }: OpenedFile) {
  const bytes = Float64Array.from(tensors.names, (_, i) => tensors.at(i).byteLength)
  const indexes = Array.from(bytes, (_, i) => i).sort((a, b) => bytes[b]! - bytes[a]! || a - b)
  return indexes.slice(0, LARGEST).map((index) => tensors.at(index))
}

function SomeMetadata(props: { readonly file: OpenedFile }) {
  const { metadata } = props.file
  if (metadata.size === 0) return null
  const some = [...metadata].slice(0, FEW_KEYS)
  return (
    <Section
      title="Metadata"
      aside={
        <a href={linkTo({ view: 'metadata' })} onClick={go({ view: 'metadata', find: undefined })}>
          All {countText(metadata.size)}
        </a>
      }
    >
      <dl class="facts">
        {some.map(([key, value]) => (
          <div key={key}>
            <dt class="mono" dir="auto">
              {shown(shortened(key, 80))}
            </dt>
            <dd class="mono clip" dir="auto">
              {shown(shortened(value, 160))}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

function Omitted(props: { readonly file: OpenedFile }) {
  const { omitted } = props.file
  if (omitted.length === 0) return null
  return (
    <Section title={`Not shown: ${plural(omitted.length, 'part')}`}>
      <ul class="rows tall">
        {omitted.slice(0, 50).map(({ name, reason }, i) => (
          <li key={i}>
            <span class="mono" dir="auto">
              {shown(name)}
            </span>
            <span class="quiet-text">{shown(reason)}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
