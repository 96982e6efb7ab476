// Tells every instance that something changed, by Postgres NOTIFY: sent with the transaction's
// commit or not at all. Payloads are ids, never data; whoever hears one reads the row.
import { sql } from 'kysely'
import { openListener } from '../db/listener.ts'
import type { Handle } from '../db/database.ts'
import type { Log } from '../db/embedded-postgres.ts'

/** What can change, and whose id the payload is. */
export type Topic =
  | 'tracks' // track
  | 'processing' // track: how far it is
  | 'categories' // category
  | 'playlists' // playlist
  | 'genres' // genre
  | 'deletions' // none: something was deleted or restored
  | 'settings' // none
  | 'catalogue' // none: what members' lists of tracks and categories are made of
  | 'likes' // user
  | 'sessions' // user
  | 'users' // none: people came, went or asked to go
  | 'players' // user, slash, the player that has to give way, if one has

type Hearer = (id: string) => unknown

export interface EventBus {
  /** Calls `hear` for every event of a topic, from any instance. Returns the way to stop it. */
  on: (topic: Topic, hear: Hearer) => () => void
  /** Calls `hear` for every event of any topic, before all others. */
  onAny: (hear: () => unknown) => () => void
  /** Calls `hear` when events may have been missed: drop everything that was kept. */
  onMissed: (hear: () => unknown) => () => void
  isConnected: () => boolean
  close: () => Promise<void>
}

const channel = 'velour'

/** Sends an event when the transaction commits (or at once, outside of one). */
export async function notify(handle: Handle, topic: Topic, id = ''): Promise<void> {
  await sql`select pg_notify(${channel}, ${`${topic} ${id}`})`.execute(handle.query)
}

export async function openEventBus(options: {
  connectionString: string
  log: Log
}): Promise<EventBus> {
  const { log } = options
  const hearers = new Map<string, Set<Hearer>>()
  const anyHearers = new Set<() => unknown>()
  const missedHearers = new Set<() => unknown>()

  const tell = (hear: () => unknown) => {
    // A hearer that fails must not keep the others from hearing.
    const hearing = async () => hear()
    hearing().catch((error: unknown) => log.error({ err: error }, 'hearing an event failed'))
  }
  const listener = await openListener({
    connectionString: options.connectionString,
    channel,
    log,
    onNotification(payload) {
      const space = payload.indexOf(' ')
      const id = payload.slice(space + 1)
      for (const hear of anyHearers) tell(hear)
      for (const hear of hearers.get(payload.slice(0, space)) ?? []) tell(() => hear(id))
    },
    onMissed() {
      for (const hear of missedHearers) tell(hear)
    },
  })

  return {
    on(topic, hear) {
      const set = hearers.get(topic) ?? new Set()
      hearers.set(topic, set.add(hear))
      return () => void set.delete(hear)
    },
    onAny(hear) {
      anyHearers.add(hear)
      return () => void anyHearers.delete(hear)
    },
    onMissed(hear) {
      missedHearers.add(hear)
      return () => void missedHearers.delete(hear)
    },
    isConnected: listener.isConnected,
    close: listener.close,
  }
}
