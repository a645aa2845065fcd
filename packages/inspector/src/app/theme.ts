import { useEffect, useState } from 'preact/hooks'

export type Theme = 'light' | 'dark'
const KEY = 'kiln-theme'
const listeners = new Set<() => void>()

function stored(): Theme | undefined {
  try {
    const value = localStorage.getItem(KEY)
    return value === 'light' || value === 'dark' ? value : undefined
  } catch {
    // Storage may be forbidden; then the system's choice holds.
    return undefined
  }
}

export function theme(): Theme {
  return stored() ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
}

/** Puts a choice made earlier into effect, and follows the system's from then on. */
export function startTheme(): void {
  const chosen = stored()
  if (chosen !== undefined) document.documentElement.dataset['theme'] = chosen
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () =>
    listeners.forEach((listener) => listener()),
  )
}

export function toggleTheme(): void {
  const next = theme() === 'dark' ? 'light' : 'dark'
  document.documentElement.dataset['theme'] = next
  try {
    localStorage.setItem(KEY, next)
  } catch {
    // It then holds until the page is left.
  }
  listeners.forEach((listener) => listener())
}

export function useTheme(): Theme {
  const [seen, setSeen] = useState(theme)
  useEffect(() => {
    const listener = (): void => setSeen(theme())
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }, [])
  return seen
}
