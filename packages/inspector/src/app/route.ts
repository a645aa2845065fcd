import { useEffect, useState } from 'preact/hooks'

export type ViewName = 'overview' | 'tensors' | 'value' | 'bytes' | 'metadata'

/**
 * What the page shows, as it stands in the URL behind the `#`, so that a link shows the same view of the same file.
 * (Not in the query, which would be sent to whoever hosts the page.)
 */
export interface Route {
  /** Where the file is; a file of the person's own disk has no address. */
  readonly url?: string | undefined
  readonly view: ViewName
  /** The tensor's name, or `#` and its index for one without. */
  readonly tensor?: string | undefined
  /** What the lists are searched for. */
  readonly find?: string | undefined
  /** Column and direction, such as `-bytes`; none is the order of the file. */
  readonly sort?: string | undefined
  /** Axes of the heat map: rows, columns. */
  readonly axes?: string | undefined
  /** The other axes' indexes, by axis. */
  readonly at?: string | undefined
  /** The heat map's row and column at its upper left corner, and pixels a cell. */
  readonly pan?: string | undefined
  /** The byte that is looked at. */
  readonly byte?: string | undefined
  /** The frame whose value is shown. */
  readonly frame?: string | undefined
}

const VIEWS: readonly ViewName[] = ['overview', 'tensors', 'value', 'bytes', 'metadata']
const KEYS = ['url', 'tensor', 'find', 'sort', 'axes', 'at', 'pan', 'byte', 'frame'] as const

export function parseRoute(hash: string): Route {
  const params = new URLSearchParams(hash.replace(/^#/, ''))
  const view = VIEWS.find((name) => name === params.get('view')) ?? 'overview'
  const route: { -readonly [K in keyof Route]: Route[K] } = { view }
  for (const key of KEYS) {
    const value = params.get(key)
    if (value !== null && value !== '') route[key] = value
  }
  return route
}

export function formatRoute(route: Route): string {
  const params = new URLSearchParams()
  for (const key of KEYS) {
    const value = route[key]
    if (value !== undefined && value !== '') params.set(key, value)
    if (key === 'url' && route.view !== 'overview') params.set('view', route.view)
  }
  const text = params.toString().replace(/%2F/g, '/').replace(/%3A/g, ':').replace(/%2C/g, ',')
  return text === '' ? '#' : `#${text}`
}

let current: { readonly hash: string; readonly route: Route } = { hash: '', route: { view: 'overview' } }

/** The route of the address bar; the same object as long as that is the same. */
export function route(): Route {
  const { hash } = location
  if (hash !== current.hash) current = { hash, route: parseRoute(hash) }
  return current.route
}

const listeners = new Set<() => void>()

function announce(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) addEventListener('popstate', announce)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) removeEventListener('popstate', announce)
  }
}

export function useRoute(): Route {
  const [seen, setSeen] = useState(route)
  useEffect(() => {
    setSeen(route())
    return subscribe(() => setSeen(route()))
  }, [])
  return seen
}

/** Goes to another view: a new entry of the history, unless `replace` says that it is the same view seen otherwise. */
export function navigate(change: Partial<Route>, replace = false): void {
  const hash = formatRoute({ ...route(), ...change })
  if (hash === formatRoute(route())) return
  if (replace) history.replaceState(null, '', hash)
  else history.pushState(null, '', hash)
  announce()
}

/** The address of a view, for links that can be opened in a tab of their own. */
export function linkTo(change: Partial<Route>): string {
  return formatRoute({ ...route(), ...change })
}
