// Records how much of each track's audio was sent to each account. The shares are collected in memory, because a stream
// sends thousands of chunks, and written every few seconds, because reports of plays may reach another instance than
// the stream.
import { LRUCache } from 'lru-cache'
import { sql } from 'kysely'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../platform/db/database.ts'

export interface SentFile {
  user_id: string
  track_id: string
  is_preview: boolean
}

export interface SentAudio {
  /** Adds a sent part. `share` is its share of the file; 1 is the whole file. */
  add: (file: SentFile, share: number) => void
  /** Writes the collected shares of one account, or of all accounts, to the database. */
  flush: (userId?: string) => Promise<void>
  /** Flushes all shares and stops the periodic flush. Cannot be restarted. */
  stop: () => Promise<void>
}

interface Pending extends SentFile {
  share: number
}

const flushEveryMs = 5_000
/** Rows per statement. Keeps the number of parameters well below PostgreSQL's limit. */
const maxRows = 2_000
/** Larger shares need not be recorded: no play requires more. */
const maxUsefulShare = 0.95
const maxCachedFiles = 50_000

const getFileKey = ({ user_id, track_id, is_preview }: SentFile) =>
  `${user_id} ${track_id} ${is_preview}`

export function createSentAudio(services: {
  db: Database
  log: Pick<FastifyBaseLogger, 'warn'>
}): SentAudio {
  const { db, log } = services
  const pending = new Map<string, Pending>()
  const writing = new Set<Promise<void>>()
  /** Files that were sent completely. Sending one again writes nothing. */
  const complete = new LRUCache<string, true>({ max: maxCachedFiles })

  function add(file: SentFile, share: number): void {
    const key = getFileKey(file)
    if (complete.has(key)) return
    const known = pending.get(key)
    if (known) known.share += share
    else pending.set(key, { ...file, share })
  }

  async function write(files: readonly Pending[]): Promise<void> {
    for (const file of files) pending.delete(getFileKey(file))
    try {
      for (const file of await writeShares(db, files)) {
        if (file.share >= maxUsefulShare) complete.set(getFileKey(file), true)
      }
    } catch (error) {
      for (const file of files) add(file, file.share)
      throw error
    }
  }

  async function flush(userId?: string): Promise<void> {
    const due = [...pending.values()].filter(
      ({ user_id }) => userId === undefined || user_id === userId,
    )
    for (let i = 0; i < due.length; i += maxRows) {
      const chunk = write(due.slice(i, i + maxRows))
      writing.add(chunk)
      await chunk.finally(() => writing.delete(chunk))
    }
    // Also wait for shares that a concurrent flush is writing.
    await Promise.allSettled(writing)
  }

  const flushing = setInterval(() => {
    flush().catch((err: unknown) => log.warn({ err }, 'failed to write the record of sent audio'))
  }, flushEveryMs).unref()

  return {
    add,
    flush,
    async stop() {
      clearInterval(flushing)
      await flush().catch((err: unknown) => log.warn({ err }, 'lost the record of sent audio'))
    },
  }
}

async function writeShares(db: Database, files: readonly Pending[]): Promise<Pending[]> {
  // The joins drop shares of deleted accounts and tracks. All instances insert in the same order to avoid deadlocks.
  const { rows } = await sql<Pending>`
    insert into track_deliveries as d (user_id, track_id, is_preview, share)
    select p.id, t.id, sent.is_preview, least(sent.share, 1)
      from unnest(${files.map((file) => file.user_id)}::uuid[], ${files.map((file) => file.track_id)}::uuid[],
                  ${files.map((file) => file.is_preview)}::boolean[], ${files.map((file) => file.share)}::float8[])
             as sent (user_id, track_id, is_preview, share)
      join profiles p on p.id = sent.user_id
      join tracks t on t.id = sent.track_id
     order by 1, 2, 3
    on conflict (user_id, track_id, is_preview) do update set share = least(d.share + excluded.share, 1)
    returning user_id, track_id, is_preview, share`.execute(db.query)
  return rows
}
