// node worker.mjs NAME BROKER ORIGIN: takes jobs until it is told to end. Any number of these may run, and each may die
// at any moment: a job that isn't acknowledged is given to another.
import { jetstream } from '@nats-io/jetstream'
import { decodeFrame, encodeFrame } from 'kiln-format'
import { setTimeout as wait } from 'node:timers/promises'
import { Fault, Job } from './messages.mjs'
import { quantizer } from './quantizer.mjs'
import { Registry } from './registry.mjs'
import { persist, putOnce, reach } from './streams.mjs'

const [name = '', broker = '', origin = ''] = process.argv.slice(2)
// For a test: the worker dies when it has sent this many results, before it acknowledges the last one's job.
const dieAfter = Number(process.env['DIE_AFTER'] ?? Infinity)
const TRIES = 3

const connection = await reach(broker)
const work = quantizer(origin, await Registry.open(connection))
let stopped = false
process.once('SIGTERM', () => {
  stopped = true
})
console.log('ready')
const begun = process.cpuUsage()

const consumer = await persist(() => jetstream(connection).consumers.get('jobs', 'workers'))
let sent = 0
while (!stopped) {
  try {
    // Two, so that the next is there when one is done.
    for await (const message of await consumer.fetch({ max_messages: 2, expires: 1000 })) await take(message)
  } catch {
    // The broker is away.
    await wait(100)
  }
}
await connection.close()

/** @param {import('@nats-io/jetstream').JsMsg} message */
async function take(message) {
  const job = message.subject.slice('jobs.'.length)
  const delivery = message.info.deliveryCount
  /** @type {Uint8Array} */
  let result
  try {
    const { user, system } = process.cpuUsage(begun)
    result = await work(decodeFrame(message.data, Job).value, { worker: name, delivery, spent: BigInt(user + system) })
  } catch (error) {
    // A server may be away for a while. What fails again and again is said to have failed.
    if (delivery < TRIES) return message.nak(200)
    const text = error instanceof Error ? error.message : String(error)
    result = encodeFrame(Fault, { job, message: text, worker: name }, { checksum: true })
  }
  const isNew = await putOnce(connection, `results.${job}`, result)
  console.log(isNew ? 'sent' : 'refused', job)
  if (++sent === dieAfter) process.kill(process.pid, 'SIGKILL')
  // The result is there, so the job is done. If that doesn't get through, the job comes again; its result is refused.
  await message.ackAck({ timeout: 2000 }).catch(() => false)
}
