import { decode, k, open, type ByteSink, type ByteSource } from 'kiln-format'
import { fileSink, openFile, writeFile } from 'kiln-format/node'
import { readFileSync } from 'node:fs'

export const word: string = decode(k.string, readFileSync('a'))

export async function copy(from: string | URL): Promise<ByteSource> {
  const sink: ByteSink = await fileSink('a')
  await sink.write(Buffer.from('a'))
  await sink.close()
  await writeFile('b', [Uint8Array.of(1)])
  await open(await openFile(from))
  return openFile(from)
}
