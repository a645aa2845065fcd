import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { bytesText, countText } from './format.js'

/** A heading with what belongs to it. */
export function Section(props: {
  readonly title: string
  readonly aside?: ComponentChildren
  readonly children: ComponentChildren
}) {
  return (
    <section class="section">
      <div class="section-head">
        <h2>{props.title}</h2>
        {props.aside}
      </div>
      {props.children}
    </section>
  )
}

/** Terms and what they are. */
export function Facts(props: { readonly rows: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {props.rows.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A size for people, with the exact bytes for those who point at it. */
export function Size(props: { readonly bytes: number }) {
  return <span title={`${countText(props.bytes)} bytes`}>{bytesText(props.bytes)}</span>
}

export function Notice(props: {
  readonly kind: 'fault' | 'note'
  readonly title?: string
  readonly children: ComponentChildren
}) {
  return (
    <div class={`notice notice-${props.kind}`} role={props.kind === 'fault' ? 'alert' : undefined}>
      {props.title === undefined ? null : <strong>{props.title}</strong>}
      <div>{props.children}</div>
    </div>
  )
}

export function Busy(props: { readonly what: string }) {
  return (
    <p class="busy" role="status">
      {props.what}
    </p>
  )
}

export function Progress(props: { readonly share: number; readonly label: string }) {
  return (
    <div class="progress-line">
      <progress max={1} value={props.share} aria-label={props.label} />
      <span class="number">{Math.floor(props.share * 100)} %</span>
    </div>
  )
}

/** Copies a text; says for a moment that it has. */
export function CopyButton(props: { readonly text: () => string; readonly what: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <button
      type="button"
      class="quiet"
      aria-label={copied ? 'Copied' : `Copy ${props.what}`}
      onClick={() =>
        void navigator.clipboard.writeText(props.text()).then(
          () => setCopied(true),
          () => undefined,
        )
      }
    >
      {copied ? 'Copied' : 'Copy'}
    </button>
  )
}

export function SearchBox(props: {
  readonly value: string
  readonly label: string
  readonly onFind: (text: string) => void
}) {
  return (
    <input
      type="search"
      class="search"
      placeholder={props.label}
      aria-label={props.label}
      value={props.value}
      spellcheck={false}
      autocomplete="off"
      onInput={(event) => props.onFind(event.currentTarget.value)}
    />
  )
}
