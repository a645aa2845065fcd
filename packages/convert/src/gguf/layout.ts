import { KilnError } from 'kiln-format'
import type { Omission } from '../model.js'
import { alignUp } from '../reading/align.js'
import { quoted } from '../text/quoted.js'
import type { GgufHead, GgufTensorInfo } from './read-head.js'

/**
 * How the tensors lie: each offset aligned, no two payloads over one another, all inside the file.
 * Their order is free. Bytes that belong to no tensor, beyond what alignment asks for, are reported.
 */
export function checkLayout(head: GgufHead, fileSize: number): Omission[] {
  const { alignment, dataStart, infos } = head
  for (const info of infos) checkPlace(info, alignment, dataStart, fileSize)

  // By place; of two at one place the empty one comes first, since it takes nothing.
  const inOrder = [...infos].sort((a, b) => a.offset - b.offset || a.byteLength - b.byteLength)
  let end = 0
  let before: GgufTensorInfo | undefined
  let gaps = 0
  let gapBytes = 0
  for (const info of inOrder) {
    if (info.offset < end) {
      throw new KilnError(
        'TYPE',
        `tensor ${quoted(info.name)} begins inside tensor ${quoted(before?.name ?? '')}`,
        dataStart + info.offset,
      )
    }
    const gap = info.offset - alignUp(end, alignment)
    if (gap > 0) {
      gaps++
      gapBytes += gap
    }
    if (info.byteLength > 0) {
      end = info.offset + info.byteLength
      before = info
    }
  }

  const omitted: Omission[] = []
  if (gaps > 0)
    omitted.push({ name: 'gaps between tensors', reason: `${gapBytes} bytes in ${gaps} places belong to no tensor` })
  const after = fileSize - alignUp(infos.length > 0 ? dataStart + end : head.headEnd, alignment)
  if (after > 0)
    omitted.push({ name: 'bytes at the end', reason: `${after} bytes after the last tensor belong to none` })
  return omitted
}

function checkPlace(info: GgufTensorInfo, alignment: number, dataStart: number, fileSize: number): void {
  const what = `tensor ${quoted(info.name)}`
  // An offset over 2^53 − 1 is rounded, and over every size, so the sum tells in any case.
  const end = dataStart + info.offset + info.byteLength
  // A file may end before its last padding, so an empty tensor may lie in padding that is not there.
  const last = info.byteLength > 0 ? fileSize : Math.max(dataStart, alignUp(fileSize, alignment))
  if (end > last) {
    throw new KilnError('EOF', `${what} ends at byte ${end}, and the file at ${fileSize}`, dataStart)
  }
  if (info.offset % alignment !== 0) {
    throw new KilnError(
      'TYPE',
      `${what} lies at offset ${info.offset}, no multiple of the alignment ${alignment}`,
      dataStart + info.offset,
    )
  }
}
