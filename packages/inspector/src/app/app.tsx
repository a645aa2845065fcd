import { useEffect, useRef, useState } from 'preact/hooks'
import { BytesView } from '../bytes/bytes-view.js'
import { ValueView } from '../frame/value-view.js'
import { MetadataView } from '../metadata/metadata-view.js'
import type { OpenedFile } from '../model/opened-file.js'
import { TensorsView } from '../tensors/tensors-view.js'
import { shown } from '../ui/format.js'
import { Busy } from '../ui/parts.js'
import { go } from './link.js'
import { Overview } from './overview.js'
import { linkTo, useRoute, type Route, type ViewName } from './route.js'
import { StartPage } from './start-page.js'
import { toggleTheme, useTheme } from './theme.js'
import { useFile } from './use-file.js'

const TITLES: Readonly<Record<ViewName, string>> = {
  overview: 'Overview',
  tensors: 'Tensors',
  value: 'Value',
  bytes: 'Bytes',
  metadata: 'Metadata',
}

/** The views that a file has. */
function viewsOf(file: OpenedFile): readonly ViewName[] {
  const views: ViewName[] = ['overview']
  if (file.tensors.length > 0) views.push('tensors')
  if (file.frames.length > 0) views.push('value')
  if (file.kiln) views.push('bytes')
  if (file.metadata.size > 0) views.push('metadata')
  return views
}

export function App() {
  const route = useRoute()
  const { state, pick, leave } = useFile(route.url)
  const over = useDrop(pick)
  const file = state.state === 'open' ? state.file : undefined
  return (
    <div class={`app${over ? ' dropping' : ''}`}>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault()
          document.getElementById('main')?.focus()
        }}
      >
        Skip to the content
      </a>
      <header class="top">
        <button type="button" class="brand" onClick={leave} aria-label="Kiln inspector: open another file">
          <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
            <path d="M6 27V15a10 10 0 0 1 20 0v12h-6V16a4 4 0 0 0-8 0v11z" fill="currentColor" />
          </svg>
          <span>Kiln</span>
        </button>
        {file === undefined ? null : (
          <span class="file-name mono clip" dir="auto">
            {shown(file.name)}
          </span>
        )}
        {file === undefined ? null : <Tabs file={file} route={route} />}
        <ThemeButton />
      </header>
      {state.state === 'none' ? <StartPage fault={undefined} onFiles={pick} /> : null}
      {state.state === 'failed' ? (
        <StartPage fault={{ what: `${shown(state.what)} could not be opened`, fault: state.fault }} onFiles={pick} />
      ) : null}
      {state.state === 'opening' ? (
        <main id="main" tabIndex={-1} class="start">
          <Busy what={`Opening ${shown(state.what)}…`} />
        </main>
      ) : null}
      {file === undefined ? null : (
        <main id="main" tabIndex={-1} class={`view view-${viewOf(file, route)}`}>
          <View file={file} route={route} />
        </main>
      )}
      {over ? (
        <div class="drop-over" aria-hidden="true">
          Drop to open
        </div>
      ) : null}
    </div>
  )
}

function viewOf(file: OpenedFile, route: Route): ViewName {
  return viewsOf(file).includes(route.view) ? route.view : 'overview'
}

function View({ file, route }: { readonly file: OpenedFile; readonly route: Route }) {
  switch (viewOf(file, route)) {
    case 'tensors':
      return <TensorsView file={file} route={route} />
    case 'value':
      return <ValueView file={file} route={route} />
    case 'bytes':
      return <BytesView file={file} route={route} />
    case 'metadata':
      return <MetadataView file={file} route={route} />
    default:
      return <Overview file={file} />
  }
}

function Tabs({ file, route }: { readonly file: OpenedFile; readonly route: Route }) {
  const current = viewOf(file, route)
  const tabs = useRef<HTMLElement>(null)
  // On a narrow screen the tabs scroll, and the one that is shown must not lie beside it.
  useEffect(() => {
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current, file])
  return (
    <nav ref={tabs} aria-label="Views" class="tabs">
      {viewsOf(file).map((view) => (
        <a
          key={view}
          href={linkTo({ view, find: undefined })}
          aria-current={view === current ? 'page' : undefined}
          onClick={go({ view, find: undefined })}
        >
          {TITLES[view]}
        </a>
      ))}
    </nav>
  )
}

// A disc and eight rays.
const SUN =
  'M10 6a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM10 1v2.5M10 16.5V19M1 10h2.5M16.5 10H19M3.6 3.6l1.8 1.8M14.6 14.6l1.8 1.8' +
  'M3.6 16.4l1.8-1.8M14.6 5.4l1.8-1.8'

function ThemeButton() {
  const theme = useTheme()
  return (
    <button
      type="button"
      class="quiet theme"
      onClick={toggleTheme}
      aria-label={theme === 'dark' ? 'Light colours' : 'Dark colours'}
    >
      <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
        {theme === 'dark' ? (
          <path
            d={SUN}
            fill="none"
            stroke="currentColor"
            stroke-width="1.6"
            stroke-linecap="round"
          />
        ) : (
          <path
            d="M16.500 12.500A7 7 0 0 1 7.500 3.500a7 7 0 1 0 9 9z"
            fill="none"
            stroke="currentColor"
            stroke-width="1.6"
            stroke-linejoin="round"
          />
        )}
      </svg>
    </button>
  )
}

/** Takes files that are dropped anywhere; says whether one is held over the page. */
function useDrop(pick: (files: readonly File[]) => void): boolean {
  const [over, setOver] = useState(false)
  useEffect(() => {
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true
    const onOver = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const onLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false)
    }
    const onDrop = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(false)
      pick([...(event.dataTransfer?.files ?? [])])
    }
    addEventListener('dragover', onOver)
    addEventListener('dragleave', onLeave)
    addEventListener('drop', onDrop)
    return () => {
      removeEventListener('dragover', onOver)
      removeEventListener('dragleave', onLeave)
      removeEventListener('drop', onDrop)
    }
  })
  return over
}
