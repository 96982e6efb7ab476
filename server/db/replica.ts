// Reads from a standby, where an answer may be a moment old. Positions in the write-ahead log decide: the standby is
// asked only once it has come past everything that this instance was told of, past what the caller wrote last, and past
// where the primary was a second ago. Whatever is in doubt is read from the primary.
import { sql } from 'kysely'
import type { EventBus } from '../events/event-bus.ts'
import { createDatabase, type Database } from './database.ts'
import type { Log } from './embedded-postgres.ts'

/** A place in the write-ahead log; it only grows, also over a failover. */
export type Position = bigint

export interface Replica {
  /** The standby, or the primary where the standby is behind `written` or away. */
  forReading: (written: Position | null) => Promise<Database>
  /** Up to where everything that was acknowledged by now is written. */
  position: () => Promise<Position>
  /** A read failed there: the primary is read until the standby has answered again. */
  doubt: (error: unknown) => void
  close: () => Promise<void>
}

const lookEveryMs = 1_000

export function createReplica(options: {
  primary: Database
  connectionString: string
  maxConnections: number
  bus: Pick<EventBus, 'onAny' | 'onMissed' | 'isConnected'>
  log: Log
}): Replica {
  const { primary, bus, log } = options
  const standby = createDatabase({ ...options, purpose: 'reading' })
  /** Null: not known to be there. */
  let replayed: Position | null = null
  /** Everything that was heard of before `known` stands in the log up to here. */
  let told: Position = 0n
  let known = 0
  let heard = 1
  let asking: Promise<void> | null = null
  let looking: { from: number; done: Promise<void> } | null = null

  const setReplayed = (now: Position | null, error?: unknown) => {
    if ((now === null) !== (replayed === null)) {
      if (now === null) log.warn({ err: error }, 'the standby is away: lists come from the primary')
      else log.info({}, 'lists are read from the standby')
    }
    replayed = now
  }
  /** Those who wait at the same time share the answer. */
  const askStandby = () => {
    asking ??= readPosition(standby)
      .then((position) => setReplayed(position))
      .catch((error: unknown) => setReplayed(null, error))
      .finally(() => (asking = null))
    return asking
  }
  /** An answer that was asked for before the last event says nothing of it. */
  const askPrimary = () => {
    if (looking?.from === heard) return looking.done
    const from = heard
    const done = readPosition(primary).then((position) => {
      if (position > told) told = position
      known = Math.max(known, from)
    })
    const own = { from, done }
    looking = own
    const forget = () => {
      if (looking === own) looking = null
    }
    done.then(forget, forget)
    return done
  }
  const hear = () => {
    heard += 1
  }
  const stops = [bus.onAny(hear), bus.onMissed(hear)]
  const look = async () => {
    // A primary that is away writes nothing that could be missed; who reads from it is told.
    await askPrimary().catch(() => {})
    await askStandby()
  }
  const timer = setInterval(() => void look(), lookEveryMs)
  timer.unref()
  void look()

  return {
    async forReading(written) {
      // Deaf to changes, it cannot know what to wait for.
      if (replayed === null || !bus.isConnected()) return primary
      if (known < heard) await askPrimary()
      const wanted = written !== null && written > told ? written : told
      if (replayed < wanted) await askStandby()
      // It may have gone away meanwhile.
      const reached = replayed as Position | null
      return reached !== null && reached >= wanted ? standby : primary
    },
    position: () => readPosition(primary),
    doubt: (error) => setReplayed(null, error),
    async close() {
      clearInterval(timer)
      for (const stop of stops) stop()
      await looking?.done.catch(() => {})
      await asking
      await standby.close()
    },
  }
}

/** Of a standby what it has replayed, of a primary what it has flushed. */
async function readPosition(db: Database): Promise<Position> {
  const { rows } = await sql<{ position: string }>`
    select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end::text
      as position`.execute(db.query)
  return parsePosition(rows[0]!.position)!
}

/** PostgreSQL writes it as `16/B374D848`. Null for what is none. */
export function parsePosition(text: string): Position | null {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  if (high === undefined || low === undefined) return null
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

export function formatPosition(position: Position): string {
  return `${(position >> 32n).toString(16)}/${(position & 0xffffffffn).toString(16)}`.toUpperCase()
}
