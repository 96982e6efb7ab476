// Reads from a standby where slightly stale data is acceptable. The standby is used only if it has replayed three WAL
// positions: that of the last change of which this instance was notified, that of the caller's last write, and the
// primary's position of a second ago. Otherwise the primary is read.
import { sql } from 'kysely'
import type { EventBus } from '../events/event-bus.ts'
import { createDatabase, type Database } from '../db/database.ts'
import type { Log } from '../process/log.ts'

/** A WAL position (LSN). It only increases, even across a failover. */
export type Position = bigint

export interface Replica {
  /** Returns the standby, or the primary if the standby has not replayed `written` or is unavailable. */
  forReading: (written: Position | null) => Promise<Database>
  /** The WAL position up to which everything committed so far is flushed. */
  position: () => Promise<Position>
  /** Call it when a read failed on the standby. The primary is used until the standby responds again. */
  doubt: (error: unknown) => void
  close: () => Promise<void>
}

const pollIntervalMs = 1_000

export function createReplica(options: {
  primary: Database
  connectionString: string
  maxConnections: number
  bus: Pick<EventBus, 'onAny' | 'onMissed' | 'isConnected'>
  log: Log
}): Replica {
  const { primary, bus, log } = options
  const standby = createDatabase({ ...options, purpose: 'reading' })
  /** The position that the standby has replayed. Null while the standby may be unavailable. */
  let replayed: Position | null = null
  const changes = trackChanges(primary, bus)
  let pending: Promise<void> | null = null

  const setReplayed = (now: Position | null, error?: unknown) => {
    if ((now === null) !== (replayed === null)) {
      if (now === null)
        log.warn({ err: error }, 'the standby is unavailable: lists are read from the primary')
      else log.info({}, 'lists are read from the standby')
    }
    replayed = now
  }
  /** Concurrent callers share one query. */
  const queryStandby = () => {
    pending ??= readPosition(standby)
      .then((position) => setReplayed(position))
      .catch((error: unknown) => setReplayed(null, error))
      .finally(() => (pending = null))
    return pending
  }
  const poll = async () => {
    // While the primary is unavailable, there are no new writes. Reads of the primary get the error.
    await changes.query().catch(() => {})
    await queryStandby()
  }
  const timer = setInterval(() => void poll(), pollIntervalMs)
  timer.unref()
  void poll()

  return {
    async forReading(written) {
      // While the event connection is down, changes are unknown, so use the primary.
      if (replayed === null || !bus.isConnected()) return primary
      const changed = await changes.position()
      const wanted = written !== null && written > changed ? written : changed
      if (replayed < wanted) await queryStandby()
      // Read again, because the standby may have become unavailable in the meantime.
      const reached = replayed as Position | null
      return reached !== null && reached >= wanted ? standby : primary
    },
    position: () => readPosition(primary),
    doubt: (error) => setReplayed(null, error),
    async close() {
      clearInterval(timer)
      await changes.stop()
      await pending
      await standby.close()
    },
  }
}

/** Determines the WAL position of the primary that includes the changes of all received events. */
function trackChanges(primary: Database, bus: Pick<EventBus, 'onAny' | 'onMissed'>) {
  let position: Position = 0n
  /** `position` includes the events up to number `covered`. `received` is the number of the last event. */
  let covered = 0
  let received = 1
  let running: { from: number; done: Promise<void> } | null = null

  /** Concurrent callers share one query, unless an event was received after the query was sent. */
  const query = () => {
    if (running?.from === received) return running.done
    const from = received
    const done = readPosition(primary).then((found) => {
      if (found > position) position = found
      covered = Math.max(covered, from)
    })
    const own = { from, done }
    running = own
    const remove = () => {
      if (running === own) running = null
    }
    done.then(remove, remove)
    return done
  }
  const onEvent = () => {
    received += 1
  }
  const stops = [bus.onAny(onEvent), bus.onMissed(onEvent)]
  return {
    query,
    async position() {
      if (covered < received) await query()
      return position
    },
    async stop() {
      for (const stop of stops) stop()
      await running?.done.catch(() => {})
    },
  }
}

/** Returns the replayed position of a standby, or the flushed position of a primary. */
async function readPosition(db: Database): Promise<Position> {
  const { rows } = await sql<{ position: string }>`
    select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end::text
      as position`.execute(db.query)
  return parsePosition(rows[0]!.position)!
}

/** Parses PostgreSQL's format, such as `16/B374D848`. Null if the text is invalid. */
export function parsePosition(text: string): Position | null {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  if (high === undefined || low === undefined) return null
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

export function formatPosition(position: Position): string {
  return `${(position >> 32n).toString(16)}/${(position & 0xffffffffn).toString(16)}`.toUpperCase()
}
