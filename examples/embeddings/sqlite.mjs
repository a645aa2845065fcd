import Database from 'better-sqlite3'
import { compile, formatHash, parseSchema } from 'kiln-format'

/**
 * @typedef {[hash: bigint, value: Buffer]} Row
 * @typedef {import('kiln-format').Codec<typeof import('./embeddings.mjs').Embedding>} Codec
 */

/**
 * Embeddings in SQLite: a row each, its value a BLOB, and the hash of the schema that the BLOB was written with. The
 * texts of schemas stand in a table of their own, once each, so every row can be read whatever program has written it.
 */
export class EmbeddingStore {
  #database
  /** @type {Map<bigint, Codec>} */
  #codecs = new Map()

  /** @param {string} path */
  constructor(path) {
    this.#database = new Database(path)
    this.#database.exec(`
      CREATE TABLE IF NOT EXISTS schemas (hash INTEGER PRIMARY KEY, text TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS embeddings (
        id INTEGER PRIMARY KEY, schema INTEGER NOT NULL REFERENCES schemas (hash), value BLOB NOT NULL
      );
    `)
  }

  /**
   * @template {import('kiln-format').Schema} S
   * @param {S} schema
   * @param {(import('kiln-format').Input<S> & { id: number })[]} items
   */
  insert(schema, items) {
    const codec = compile(schema)
    // SQLite's integers have a sign.
    const hash = BigInt.asIntN(64, schema.hash)
    const insert = this.#database.prepare('INSERT INTO embeddings VALUES (?, ?, ?)')
    this.#database.transaction(() => {
      this.#database.prepare('INSERT OR IGNORE INTO schemas VALUES (?, ?)').run(hash, schema.text)
      for (const item of items) insert.run(item.id, hash, codec.encode(item))
    })()
  }

  /**
   * The value of a row, with all that its own schema has.
   *
   * @param {number} id
   */
  get(id) {
    const row = this.#rows('SELECT schema, value FROM embeddings WHERE id = ?').get(id)
    if (row === undefined) return undefined
    const [hash, value] = /** @type {Row} */ (row)
    return this.#codec(hash).decode(value)
  }

  /** @param {import('./nearest.mjs').Nearest} nearest */
  search(nearest) {
    for (const row of this.#rows('SELECT schema, value FROM embeddings').iterate()) {
      const [hash, value] = /** @type {Row} */ (row)
      const { vector, id } = this.#codec(hash).view(value)
      nearest.look(id, vector.aligned ? vector.borrow() : vector.copy())
    }
  }

  /** @param {string} query */
  #rows(query) {
    return this.#database.prepare(query).safeIntegers().raw()
  }

  /**
   * What reads the rows of a hash.
   *
   * @param {bigint} hash
   */
  #codec(hash) {
    let codec = this.#codecs.get(hash)
    if (codec === undefined) {
      const row = this.#rows('SELECT text FROM schemas WHERE hash = ?').get(hash)
      if (row === undefined) throw new Error(`the schema ${formatHash(BigInt.asUintN(64, hash))} is not in the table`)
      const [text] = /** @type {[string]} */ (row)
      const schema = parseSchema(text)
      if (!isEmbedding(schema)) throw new Error(`the rows of ${text} are no embeddings`)
      codec = compile(schema)
      this.#codecs.set(hash, codec)
    }
    return codec
  }

  close() {
    this.#database.close()
  }
}

/**
 * Whether a schema has what is searched for; it may have more.
 *
 * @param {import('kiln-format').Schema} schema
 * @returns {schema is typeof import('./embeddings.mjs').Embedding}
 */
function isEmbedding(schema) {
  return schema.kind === 'struct' && schema.fields['vector']?.text === 'list<f32>' && schema.fields['id']?.text === 'u32'
}
