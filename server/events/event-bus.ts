// Notifies every instance of changes through Postgres NOTIFY. Events are sent when the transaction commits, and not if
// it rolls back. Payloads are ids, never data; the listener reads the row.
import { sql } from 'kysely'
import { openListener } from '../db/listener.ts'
import type { Handle } from '../db/database.ts'
import type { Log } from '../db/embedded-postgres.ts'

/** What can change. The comment names the id in the payload. */
export type Topic =
  | 'tracks' // track
  | 'processing' // track: its processing progress changed
  | 'categories' // category
  | 'playlists' // playlist
  | 'genres' // genre
  | 'deletions' // none: something was deleted or restored
  | 'settings' // none
  | 'catalogue' // none: the data behind the members' lists of tracks and categories changed
  | 'likes' // user
  | 'sessions' // user
  | 'users' // none: an account was created, deleted or asked for deletion
  | 'players' // user, slash, the player that is displaced, if any

type Hearer = (id: string) => unknown

export interface EventBus {
  /** Calls `hear` for every event of a topic, from any instance. Returns a function that unsubscribes. */
  on: (topic: Topic, hear: Hearer) => () => void
  /** Calls `hear` for every event of any topic, before the listeners of that topic. */
  onAny: (hear: () => unknown) => () => void
  /** Calls `hear` when events may have been missed: drop every cache. */
  onMissed: (hear: () => unknown) => () => void
  isConnected: () => boolean
  close: () => Promise<void>
}

const channel = 'velour'

/** Sends an event when the transaction commits, or immediately outside of a transaction. */
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
    // A failing listener must not keep the others from being called.
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
