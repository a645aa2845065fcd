import { shown } from '../ui/format.js'

/** How the URL names a tensor. */
export function tensorKey(name: string, index: number): string {
  return name === '' || name.startsWith('#') ? `#${index}` : name
}

/** How people see it named. */
export function tensorTitle(name: string, index: number): string {
  return name === '' ? `unnamed ${index}` : shown(name)
}
