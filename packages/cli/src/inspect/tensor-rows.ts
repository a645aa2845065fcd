import { createHash } from 'node:crypto'
import { linkedTensor, type AnyModel, type AnyTensor } from '../input/model.js'
import { nameText, shapeText } from '../terminal/shape-text.js'
import { tableLines, type Column } from '../terminal/table.js'
import { countText } from '../terminal/units.js'

/** A tensor as `inspect --json` shows it. */
export interface TensorRow {
  readonly name: string
  readonly dtype: string
  readonly shape: readonly number[]
  readonly byte_length: number
  readonly offset?: number
  readonly scheme: number
  readonly axis?: number
  readonly group_size?: number
  /** The linked tensor's name, or its place if it has none. */
  readonly scale?: string | number
  readonly outer?: string | number
  readonly checksum?: number
  readonly sha256?: string
}

/** A row for each tensor; with `digest`, a tensor's payload is read for its SHA-256. */
export async function* tensorRows(model: Pick<AnyModel, 'tensors'>, digest?: (tensor: AnyTensor) => Promise<string>): AsyncGenerator<TensorRow> {
  for (const tensor of model.tensors) {
    const { kiln, axis, groupSize } = tensor
    yield {
      name: tensor.name,
      dtype: tensor.dtype,
      shape: tensor.shape,
      byte_length: tensor.byteLength,
      ...(kiln === undefined ? {} : { offset: kiln.offset }),
      scheme: kiln?.scheme ?? 0,
      ...(tensor.scale === undefined ? {} : { axis: axis!, group_size: groupSize!, scale: linkName(model, tensor.scale) }),
      ...(tensor.outer === undefined ? {} : { outer: linkName(model, tensor.outer) }),
      ...(kiln?.checksum === undefined ? {} : { checksum: kiln.checksum }),
      ...(digest === undefined ? {} : { sha256: await digest(tensor) }),
    }
  }
}

function linkName(model: Pick<AnyModel, 'tensors'>, link: string | number): string | number {
  return linkedTensor(model, link)?.name || link
}

/** The SHA-256 of a payload, which passes by piece by piece. */
export async function sha256Of(tensor: AnyTensor, passed: (bytes: number) => void): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of tensor.chunks()) {
    hash.update(piece)
    passed(piece.length)
  }
  return hash.digest('hex')
}

/** The rows as a table for people. Columns that would be empty are left out. */
export function tensorTable(rows: readonly TensorRow[]): string[] {
  const has = (key: keyof TensorRow): boolean => rows.some((row) => row[key] !== undefined)
  const columns: (Column & { cell(row: TensorRow, index: number): string })[] = [
    { title: 'name', cell: (row, i) => nameText(row.name, i) },
    { title: 'dtype', cell: ({ dtype }) => dtype },
    { title: 'shape', cell: ({ shape }) => shapeText(shape) },
    { title: 'bytes', right: true, cell: (row) => countText(row.byte_length) },
  ]
  if (has('offset')) columns.push({ title: 'offset', right: true, cell: ({ offset }) => (offset === undefined ? '' : countText(offset)) })
  if (has('checksum')) columns.push({ title: 'crc-32', cell: ({ checksum }) => checksum?.toString(16).padStart(8, '0') ?? '-' })
  if (has('scale')) columns.push({ title: 'quantization', cell: quantizationText })
  if (has('sha256')) columns.push({ title: 'sha256', cell: ({ sha256 }) => sha256 ?? '' })
  return tableLines(columns, rows.map((row, i) => columns.map(({ cell }) => cell(row, i))))
}

function quantizationText({ scale, outer, axis, group_size }: TensorRow): string {
  if (scale === undefined) return ''
  const link = (name: string | number): string => (typeof name === 'number' ? nameText('', name) : nameText(name, 0))
  return `scales ${link(scale)}${outer === undefined ? '' : `, outer ${link(outer)}`}, axis ${axis}, groups of ${group_size}`
}
