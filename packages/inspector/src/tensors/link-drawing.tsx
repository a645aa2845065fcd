import { go } from '../app/link.js'
import { tensorKey, tensorTitle } from './naming.js'
import { linkTo } from '../app/route.js'
import type { OpenedFile, ViewTensor } from '../model/opened-file.js'
import { countText, plural, shapeText } from '../ui/format.js'
import { Section } from '../ui/parts.js'

const MOST_USERS = 24

/** A quantized tensor with its scales and outer scale, joined by arrows; or the tensors that use this one. */
export function LinkDrawing({ file, tensor }: { readonly file: OpenedFile; readonly tensor: ViewTensor }) {
  const { scale, outer, axis, groupSize } = tensor
  if (scale === undefined) return <Users file={file} tensor={tensor} />
  return (
    <Section title="Quantization">
      <div class="links">
        <Box file={file} index={tensor.index} role="codes" current />
        <Arrow text={`${plural(groupSize, 'element')} along axis ${axis ?? 0} share a scale`} />
        <Box file={file} index={scale} role="scales" />
        {outer === undefined ? null : (
          <>
            <Arrow text="all of them times one number" />
            <Box file={file} index={outer} role="outer scale" />
          </>
        )}
      </div>
      <p class="quiet-text small">
        value = code × scale{outer === undefined ? '' : ' × outer'}. The format keeps the links and never multiplies.
      </p>
    </Section>
  )
}

function Box({
  file,
  index,
  role,
  current = false,
}: {
  readonly file: OpenedFile
  readonly index: number
  readonly role: string
  readonly current?: boolean
}) {
  const { name, dtype, shape } = file.tensors.at(index)
  const change = {
    view: 'tensors',
    tensor: tensorKey(name, index),
    axes: undefined,
    at: undefined,
    pan: undefined,
  } as const
  const title = tensorTitle(name, index)
  return (
    <div class={`link-box${current ? ' current' : ''}`}>
      <span class="quiet-text small">{role}</span>
      {current ? (
        <span class="mono" dir="auto">
          {title}
        </span>
      ) : (
        <a class="mono" dir="auto" href={linkTo(change)} onClick={go(change)}>
          {title}
        </a>
      )}
      <span class="small number">
        {dtype} · {shapeText(shape)}
      </span>
    </div>
  )
}

function Arrow({ text }: { readonly text: string }) {
  return (
    <div class="arrow">
      <svg viewBox="0 0 64 12" width="64" height="12" aria-hidden="true">
        <path d="M0 6h60M54 1.5 61 6l-7 4.5" fill="none" stroke="currentColor" stroke-width="1.5" />
      </svg>
      <span class="small quiet-text">{text}</span>
    </div>
  )
}

function Users({ file, tensor }: { readonly file: OpenedFile; readonly tensor: ViewTensor }) {
  if (!file.kiln) return null
  const users: number[] = []
  for (let i = 0; i < file.tensors.length; i++) {
    const other = file.tensors.at(i)
    if (other.scale === tensor.index || other.outer === tensor.index) users.push(i)
  }
  if (users.length === 0) return null
  return (
    <Section title={`Scales ${plural(users.length, 'tensor')}`}>
      <div class="links wrap">
        {users.slice(0, MOST_USERS).map((index) => (
          <Box key={index} file={file} index={index} role="codes" />
        ))}
      </div>
      {users.length > MOST_USERS ? (
        <p class="quiet-text small">and {countText(users.length - MOST_USERS)} more</p>
      ) : null}
    </Section>
  )
}
