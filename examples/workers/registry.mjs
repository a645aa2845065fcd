import { Kvm } from '@nats-io/kv'
import { formatHash, parseSchema } from 'kiln-format'
import { persist } from './streams.mjs'

/** The schemas of a cluster, by hash, in a bucket of JetStream's key-value store: a frame's header has but the hash. */
export class Registry {
  #bucket
  /** @type {Map<bigint, Promise<import('kiln-format').Schema>>} */
  #known = new Map()

  /** @param {import('@nats-io/kv').KV} bucket */
  constructor(bucket) {
    this.#bucket = bucket
  }

  /** @param {import('@nats-io/transport-node').NatsConnection} connection */
  static async open(connection) {
    return new Registry(await persist(() => new Kvm(connection).create('schemas')))
  }

  /**
   * Two schemas can have one hash: the second is refused, as no reader could tell them apart.
   *
   * @param {import('kiln-format').Schema} schema
   */
  async add(schema) {
    const key = formatHash(schema.hash)
    const there = await persist(async () => {
      const entry = await this.#bucket.get(key)
      if (entry !== null) return entry.string()
      // Fails if another was faster; the next turn then finds what it put.
      await this.#bucket.create(key, schema.text)
      return schema.text
    })
    if (there !== schema.text) throw new Error(`${key} is taken by ${there}`)
  }

  /** @param {bigint} hash */
  get(hash) {
    const known = this.#known.get(hash) ?? this.#fetch(hash)
    this.#known.set(hash, known)
    return known
  }

  /** @param {bigint} hash */
  async #fetch(hash) {
    const key = formatHash(hash)
    const entry = await persist(() => this.#bucket.get(key))
    if (entry === null) throw new Error(`no schema is registered as ${key}`)
    // It is text from elsewhere: parsed as such, and held against the key.
    const schema = parseSchema(entry.string())
    if (schema.hash !== hash) throw new Error(`what is registered as ${key} has the hash ${formatHash(schema.hash)}`)
    return schema
  }
}
