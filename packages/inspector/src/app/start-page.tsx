import { useRef, useState } from 'preact/hooks'
import type { Fault } from '../model/opened-file.js'
import { navigate } from './route.js'
import { FaultNotice } from './fault-notice.js'

interface Props {
  readonly fault: { readonly what: string; readonly fault: Fault } | undefined
  onFiles(files: readonly File[]): void
}

/** Where a file is dropped, picked, or its address given. */
export function StartPage({ fault, onFiles }: Props) {
  const [url, setUrl] = useState('')
  const picker = useRef<HTMLInputElement>(null)
  return (
    <main id="main" tabIndex={-1} class="start">
      <h1>Look at tensors instead of reading about them</h1>
      <p class="lead">
        Drop a file anywhere on this page. It is read in your browser, piece by piece; nothing is uploaded.
      </p>
      {fault === undefined ? null : (
        <div class="start-fault">
          <h2>{fault.what}</h2>
          <FaultNotice fault={fault.fault} kiln={false} />
        </div>
      )}
      <div class="drop-box">
        <svg viewBox="0 0 48 48" width="48" height="48" aria-hidden="true">
          <path
            d="M10 40V24a14 14 0 0 1 28 0v16h-8V26a6 6 0 0 0-12 0v14zM21 40v-7h6v7"
            fill="none"
            stroke="currentColor"
            stroke-width="2.5"
            stroke-linejoin="round"
          />
        </svg>
        <button type="button" class="primary" onClick={() => picker.current?.click()}>
          Choose a file
        </button>
        <input
          ref={picker}
          type="file"
          multiple
          class="visually-hidden"
          tabIndex={-1}
          aria-label="File"
          onChange={(event) => onFiles([...(event.currentTarget.files ?? [])])}
        />
        <p class="quiet-text small">Kiln, safetensors, GGUF, ONNX, NPY, NPZ. Several files of one set go together.</p>
      </div>
      <form
        class="url-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (url.trim() !== '') navigate({ url: url.trim(), view: 'overview' })
        }}
      >
        <label for="url">Or give an address</label>
        <div class="url-line">
          <input
            id="url"
            type="text"
            inputmode="url"
            placeholder="https://…/model.kiln"
            value={url}
            spellcheck={false}
            autocomplete="off"
            onInput={(event) => setUrl(event.currentTarget.value)}
          />
          <button type="submit">Open</button>
        </div>
        <p class="quiet-text small">
          Read by ranges: a file of gigabytes opens at once. Its server must allow pages of other origins (CORS).
        </p>
      </form>
    </main>
  )
}
