/** The end of an index file's name; the set's own name stands before it. */
export const INDEX_SUFFIX = '.safetensors.index.json'

/** A shard's name taken apart: `model-00002-of-00006.safetensors`. */
export interface ShardName {
  readonly set: string
  /** From 1. */
  readonly number: number
  readonly of: number
  /** Digits that the numbers are written with. */
  readonly width: number
}

/** Takes a shard's name apart; undefined for one that is none. */
export function parseShardName(name: string): ShardName | undefined {
  const match = /^(.*)-(\d{1,9})-of-(\d{1,9})\.safetensors$/.exec(name)
  if (match === null) return undefined
  const [, set = '', number = '', of = ''] = match
  if (number.length !== of.length || Number(number) < 1 || Number(number) > Number(of)) return undefined
  return { set, number: Number(number), of: Number(of), width: of.length }
}

/** The name of one shard, with numbers of five digits unless told otherwise. */
export function shardName({
  set,
  number,
  of,
  width = 5,
}: Omit<ShardName, 'width'> & { readonly width?: number }): string {
  const digits = (n: number): string => String(n).padStart(width, '0')
  return `${set}-${digits(number)}-of-${digits(of)}.safetensors`
}

/** The names of all shards of the set that this one is of. */
export function allShardNames(shard: ShardName): string[] {
  return Array.from({ length: shard.of }, (_, i) => shardName({ ...shard, number: i + 1 }))
}
