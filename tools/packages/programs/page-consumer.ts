import { blobSource, decodeFrame, FrameDecoderStream, k, open, urlSource } from 'kiln-format'

const Message = k.struct({ text: k.string })

export async function page(file: File, response: Response): Promise<string[]> {
  await open(blobSource(file))
  await open(await urlSource(new URL('https://example.com/a.kiln'), { signal: new AbortController().signal }))
  const frame = decodeFrame(await response.arrayBuffer(), Message)
  document.title = frame.value.text
  const texts: string[] = []
  const frames = response.body?.pipeThrough(new FrameDecoderStream(Message))
  const reader = frames?.getReader()
  for (let step = await reader?.read(); step?.done === false; step = await reader?.read())
    texts.push(step.value.value.text)
  return texts
}
