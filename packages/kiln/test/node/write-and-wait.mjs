// Writes one file over and over, each time whole of one value, until somebody ends it.
const [, , library, path] = process.argv
const { fileSink } = await import(library)
for (let value = 0; ; value = (value + 1) % 200) {
  const sink = await fileSink(path)
  for (let i = 0; i < 300; i++) {
    await sink.write(new Uint8Array(1000).fill(value))
    if (i === 10 && value === 0) process.stdout.write('writing\n')
  }
  await sink.close()
}
