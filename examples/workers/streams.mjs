import { AckPolicy, jetstream, JetStreamApiCodes, JetStreamApiError, jetstreamManager } from '@nats-io/jetstream'
import { connect, nanos } from '@nats-io/transport-node'

/**
 * A connection that comes back whenever the broker does.
 *
 * @param {string} url
 */
export function reach(url) {
  return connect({ servers: url, maxReconnectAttempts: -1, reconnectTimeWait: 100, reconnectJitter: 50 })
}

/**
 * A stream of jobs and one of results.
 *
 * @param {import('@nats-io/transport-node').NatsConnection} connection
 */
export async function makeStreams(connection) {
  const manager = await jetstreamManager(connection)
  // Messages stay, so that what is sent twice is known however late it comes. Which jobs are done, the consumer knows.
  await manager.streams.add({ name: 'jobs', subjects: ['jobs.*'] })
  await manager.streams.add({ name: 'results', subjects: ['results.*'] })
  return manager
}

/**
 * Lets workers begin: what they all take jobs from.
 *
 * @param {import('@nats-io/jetstream').JetStreamManager} manager
 * @param {number} patience milliseconds after which a job is given to another worker
 */
export async function openJobs(manager, patience) {
  await manager.consumers.add('jobs', {
    durable_name: 'workers', ack_policy: AckPolicy.Explicit, ack_wait: nanos(patience), max_ack_pending: 1000,
  })
}

/**
 * Puts a message into a stream unless one of its subject is there: whatever was sent twice, by a worker that took over
 * or because the broker's answer was lost, is there once. Sends until the broker answers. Returns whether it was new.
 *
 * @param {import('@nats-io/transport-node').NatsConnection} connection
 * @param {string} subject
 * @param {Uint8Array} bytes
 */
export async function putOnce(connection, subject, bytes) {
  return persist(async () => {
    try {
      await jetstream(connection).publish(subject, bytes, { expect: { lastSubjectSequence: 0 }, timeout: 1000 })
      return true
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamWrongLastSequence) return false
      throw error
    }
  })
}

/**
 * Does it until it succeeds, as long as the broker may come back.
 *
 * @template T
 * @param {() => Promise<T>} action
 * @param {number} [patience] milliseconds
 */
export async function persist(action, patience = 60_000) {
  const last = Date.now() + patience
  for (;;) {
    try {
      return await action()
    } catch (error) {
      if (Date.now() > last) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
