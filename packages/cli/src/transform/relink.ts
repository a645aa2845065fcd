import type { AnyTensor } from '../input/model.js'

/** What stands in a tensor's place: one tensor, or a set that is linked among itself by name. */
export type Replacement = readonly AnyTensor[]

/**
 * The list with tensors replaced, the links of those that stay going on to where the linked tensors now are. Scales that
 * nobody uses any more, because those who did became plain numbers, go too.
 */
export function relinked(tensors: readonly AnyTensor[], replacements: ReadonlyMap<AnyTensor, Replacement>): AnyTensor[] {
  const byName = new Map(tensors.map(({ name }, i) => [name, i]))
  const indexOf = (link: string | number): number => (typeof link === 'number' ? link : (byName.get(link) ?? -1))
  const linksOf = ({ scale, outer }: AnyTensor): number[] => [scale, outer].flatMap((link) => (link === undefined ? [] : [indexOf(link)]))
  const linkedBefore = new Set(tensors.flatMap(linksOf))
  const linkedStill = new Set(tensors.filter((tensor) => !replacements.has(tensor)).flatMap(linksOf))

  const places = new Map<number, number>()
  const list: { readonly tensor: AnyTensor; readonly stays: boolean }[] = []
  tensors.forEach((tensor, i) => {
    const replacement = replacements.get(tensor)
    if (replacement === undefined && linkedBefore.has(i) && !linkedStill.has(i)) return
    places.set(i, list.length)
    if (replacement === undefined) list.push({ tensor, stays: true })
    else list.push(...replacement.map((part) => ({ tensor: part, stays: false })))
  })
  const moved = (link: string | number): number => places.get(indexOf(link)) ?? -1
  return list.map(({ tensor, stays }) => {
    if (!stays || tensor.scale === undefined) return tensor
    return { ...tensor, scale: moved(tensor.scale), ...(tensor.outer === undefined ? {} : { outer: moved(tensor.outer) }) }
  })
}
