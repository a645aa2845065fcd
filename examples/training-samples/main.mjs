// node main.mjs [EPOCHS]: a model learns digits from shards in a folder, then again from the same shards behind nginx.
import { fileURLToPath } from 'node:url'
import { NGINX, startNginx } from '../support/nginx.mjs'
import { writeDataset } from './dataset.mjs'
import { asText } from './digits.mjs'
import { SIDE } from './messages.mjs'
import { accuracy, guess, learn, makeModel } from './model.mjs'
import { batches } from './samples.mjs'

const epochs = Number(process.argv[2] ?? 6)
const folder = fileURLToPath(new URL('.tmp/digits', import.meta.url))
await writeDataset(folder, { shards: 10, samples: 512, block: 32, seed: 1 })
const learned = { from: 0, to: 8 }
const held = { from: 8, to: 10 }

console.log('from the folder')
const model = await train(folder)
for await (const batch of batches(folder, { seed: 99, shards: held })) {
  const pixels = SIDE * SIDE
  const pictures = Array.from({ length: 7 }, (_, i) => batch.features.subarray(i * pixels, (i + 1) * pixels))
  console.log(`\n${asText(pictures)}`)
  console.log(Array.from(guess(model, batch).slice(0, 7), (digit) => `it says ${digit}`.padEnd(SIDE)).join('  '))
  break
}

if (NGINX === undefined) console.log('\nnginx is not installed: not read from there')
else {
  const server = await startNginx(folder)
  console.log('\nfrom nginx, by ranges')
  await train(server.origin)
  const requests = await server.requests()
  console.log(`${requests.filter(({ status }) => status === 206).length} of ${requests.length} requests were answered by ranges`)
  await server.stop()
}

/** @param {string} place */
async function train(place) {
  const model = makeModel()
  for (let epoch = 1; epoch <= epochs; epoch++) {
    const loss = await learn(model, batches(place, { seed: epoch, shards: learned }))
    const right = await accuracy(model, batches(place, { seed: 0, shards: held }))
    console.log(`epoch ${epoch}: loss ${loss.toFixed(4)}, ${(right * 100).toFixed(1)} % of 1,024 digits right that it never saw`)
  }
  return model
}
