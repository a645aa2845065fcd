import { within } from '../errors/kiln-error.js'
import type { TensorTable } from '../tensors/table.js'
import { TableTensorInfo } from '../tensors/tensor.js'
import { checksumFault, gapFault } from '../tensors/verify.js'
import type { ForwardReader } from './forward-reader.js'

/**
 * Goes through the payloads of the directory at `start`, whose table has been checked (FORMAT §4, Checksums), as
 * `verifyDirectory` does in memory. Gives how many checksums were compared.
 */
export async function verifyPayloadsOf(table: TensorTable, start: number, reader: ForwardReader): Promise<number> {
  let compared = 0
  await reader.skip(start + table.payloadBase)
  for (let i = 0; i < table.tensorCount; i++) {
    const tensor = new TableTensorInfo(table, i)
    const { byteOffset, byteLength, checksum } = tensor
    try {
      await passZeros(reader, start + byteOffset, 'before this payload')
      if (checksum === undefined) {
        await reader.skip(start + byteOffset + byteLength)
        continue
      }
      const computed = await reader.sum(start + byteOffset + byteLength)
      if (computed !== checksum) throw checksumFault(checksum, computed, start + byteOffset)
      compared++
    } catch (error) {
      throw within(error, tensor.name || i)
    }
  }
  await passZeros(reader, start + table.totalSize, 'after the last payload')
  return compared
}

async function passZeros(
  reader: ForwardReader,
  end: number,
  where: 'before this payload' | 'after the last payload',
): Promise<void> {
  let at = reader.position
  for await (const piece of reader.to(end)) {
    const other = piece.findIndex((byte) => byte !== 0)
    if (other !== -1) throw gapFault(where, at + other)
    at += piece.length
  }
}
