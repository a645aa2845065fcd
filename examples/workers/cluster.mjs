import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { jetstream } from '@nats-io/jetstream'
import { decodeFrame } from 'kiln-format'
import { startBroker } from './broker.mjs'
import { Fault, NamedSample, Result, Sample } from './messages.mjs'
import { Registry } from './registry.mjs'
import { makeStreams, openJobs, persist, reach } from './streams.mjs'

/** A broker of its own with empty streams, the schemas registered, and workers as they are asked for. */
export class Cluster {
  /** @type {Worker[]} */
  workers = []

  /**
   * @param {string} folder
   * @param {Awaited<ReturnType<typeof startBroker>>} broker
   * @param {import('@nats-io/transport-node').NatsConnection} connection
   * @param {import('@nats-io/jetstream').JetStreamManager} manager
   * @param {Registry} registry
   */
  constructor(folder, broker, connection, manager, registry) {
    this.folder = folder
    this.broker = broker
    this.connection = connection
    this.manager = manager
    this.registry = registry
  }

  static async start() {
    const folder = await mkdtemp(join(tmpdir(), 'kiln-workers-'))
    const broker = await startBroker(folder)
    const connection = await reach(broker.url)
    const manager = await makeStreams(connection)
    const registry = await Registry.open(connection)
    await registry.add(Sample)
    await registry.add(NamedSample)
    return new Cluster(folder, broker, connection, manager, registry)
  }

  /**
   * Starts a worker and waits until it is ready.
   *
   * @param {string} origin
   * @param {{ dieAfter?: number }} [options]
   */
  async addWorker(origin, { dieAfter } = {}) {
    const worker = new Worker(`worker-${this.workers.length + 1}`, this.broker.url, origin, dieAfter)
    this.workers.push(worker)
    await worker.ready
    return worker
  }

  /** @param {number} patience milliseconds after which a job is given to another worker */
  begin(patience) {
    return openJobs(this.manager, patience)
  }

  /**
   * Messages that a stream holds.
   *
   * @param {'jobs' | 'results'} stream
   */
  async count(stream) {
    return (await persist(() => this.manager.streams.info(stream))).state.messages
  }

  /**
   * Waits until there are so many results.
   *
   * @param {number} number
   */
  async untilResults(number) {
    while ((await this.count('results')) < number) await wait(10)
  }

  /** Waits until no job is waiting for a worker or with one. */
  async untilDone() {
    for (;;) {
      const { num_pending, num_ack_pending } = await persist(() => this.manager.consumers.info('jobs', 'workers'))
      if (num_pending + num_ack_pending === 0) return
      await wait(20)
    }
  }

  /** All that the stream of results holds, in its order. */
  async results() {
    const wanted = await this.count('results')
    const consumer = await jetstream(this.connection).consumers.get('results')
    const frames = []
    for await (const message of await consumer.fetch({ max_messages: wanted, expires: 30_000 })) {
      const { subject, data } = message
      frames.push({ subject, frame: decodeFrame(data, [Result, Fault]) })
      if (frames.length === wanted) break
    }
    return frames
  }

  async stop() {
    await Promise.all(this.workers.map((worker) => worker.stop()))
    await this.connection.close()
    await this.broker.stop()
    await rm(this.folder, { recursive: true, force: true })
  }
}

/** A process that runs worker.mjs. */
class Worker {
  /** What it did, line by line: `sent JOB`, or `refused JOB` of a result that was there. */
  printed = ''

  /**
   * @param {string} name
   * @param {string} broker
   * @param {string} origin
   * @param {number | undefined} dieAfter
   */
  constructor(name, broker, origin, dieAfter) {
    const program = fileURLToPath(new URL('worker.mjs', import.meta.url))
    this.child = spawn(process.execPath, [program, name, broker, origin], {
      env: { ...process.env, ...(dieAfter === undefined ? {} : { DIE_AFTER: `${dieAfter}` }) },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.ended = once(this.child, 'exit')
    this.ready = new Promise((resolve, reject) => {
      this.child.stdout.setEncoding('utf8').on('data', (text) => {
        this.printed += text
        resolve(undefined)
      })
      this.child.once('exit', () => reject(new Error(`${name} ended before it was ready`)))
    })
  }

  async stop() {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill()
    await this.ended
  }
}
