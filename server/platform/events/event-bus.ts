// Notifies every instance of changes with PostgreSQL's NOTIFY. Events are sent when the transaction commits, and not
// if it rolls back. Events contain ids, never data. Listeners read the row.
import { sql } from 'kysely'
import { openListener } from '../db/listener.ts'
import type { Handle } from '../db/database.ts'
import type { Log } from '../process/log.ts'

/** The topics. Each comment names the id in the payload. */
export type Topic =
  | 'tracks' // track
  | 'processing' // track: its processing progress changed
  | 'categories' // category
  | 'playlists' // playlist
  | 'shared-playlists' // user, slash, playlist that the user shares with others
  | 'releases' // release
  | 'genres' // genre
  | 'reviews' // none: a draft was sent for review, or a review ended
  | 'deletions' // none: something was deleted or restored
  | 'settings' // none
  | 'catalogue' // none: the data behind the members' lists of tracks and categories changed
  | 'likes' // user
  | 'follows' // user
  | 'shelves' // user: what shelves show of a member's own playlists changed
  | 'sessions' // user
  | 'users' // none: an account was created, deleted or asked for deletion
  | 'players' // user, slash, the player that is displaced, if any

type EventListener = (id: string) => unknown

export interface EventBus {
  /** Calls `onEvent` for every event of a topic, from any instance. Returns a function that unsubscribes. */
  on: (topic: Topic, onEvent: EventListener) => () => void
  /** Calls `onEvent` for every event of any topic, before the listeners of the topic itself. */
  onAny: (onEvent: () => unknown) => () => void
  /** Calls `onEvent` when events may have been missed, so that every cache must be cleared. */
  onMissed: (onEvent: () => unknown) => () => void
  isConnected: () => boolean
  /** Resolves when the listeners were called for every event that any instance has committed so far. */
  catchUp: () => Promise<void>
  close: () => Promise<void>
}

const channel = 'velour'

/** Sends an event when the transaction commits, or immediately outside a transaction. */
export async function notify(handle: Handle, topic: Topic, id = ''): Promise<void> {
  await sql`select pg_notify(${channel}, ${`${topic} ${id}`})`.execute(handle.query)
}

export async function openEventBus(options: {
  connectionString: string
  log: Log
}): Promise<EventBus> {
  const { log } = options
  const listeners = new Map<string, Set<EventListener>>()
  const anyListeners = new Set<() => unknown>()
  const missedListeners = new Set<() => unknown>()

  const call = (onEvent: () => unknown) => {
    // A listener that throws must not prevent the others from being called.
    const run = async () => onEvent()
    run().catch((error: unknown) => log.error({ err: error }, 'a listener of an event failed'))
  }
  const listener = await openListener({
    connectionString: options.connectionString,
    channel,
    log,
    onNotification(payload) {
      const space = payload.indexOf(' ')
      const id = payload.slice(space + 1)
      for (const onEvent of anyListeners) call(onEvent)
      for (const onEvent of listeners.get(payload.slice(0, space)) ?? []) call(() => onEvent(id))
    },
    onMissed() {
      for (const onEvent of missedListeners) call(onEvent)
    },
  })

  return {
    on(topic, onEvent) {
      const set = listeners.get(topic) ?? new Set()
      listeners.set(topic, set.add(onEvent))
      return () => void set.delete(onEvent)
    },
    onAny(onEvent) {
      anyListeners.add(onEvent)
      return () => void anyListeners.delete(onEvent)
    },
    onMissed(onEvent) {
      missedListeners.add(onEvent)
      return () => void missedListeners.delete(onEvent)
    },
    isConnected: listener.isConnected,
    catchUp: listener.catchUp,
    close: listener.close,
  }
}
