import { openForeign } from 'kiln-convert'
import { writeModel } from 'kiln-format'
import { fileSink, nodeFolder, openFile } from 'kiln-format/node'
import { basename, dirname } from 'node:path'

/** Any file, or any file of a set, into one Kiln model file; gives what could not be carried. */
export async function toKiln(path: string, output: string) {
  const source = await openFile(path)
  const model = await openForeign(source, { name: basename(path), folder: await nodeFolder(dirname(path)) })
  for (const { name, dtype, shape } of model.tensors) console.log(name, dtype, shape)
  await writeModel(await fileSink(output, { sources: [source] }), model)
  await model.close()
  await source.close()
  return model.omitted
}
