// Optimistic locking: each save may name the version it is based on.
import * as z from 'zod/mini'

/** Incremented on every change. Send it back when saving. */
export const version = z.int()

/** In a request. Absent: the save overwrites any version. */
export const readVersion = z.optional(z.int().check(z.minimum(1)))

/** Details of the error `changed_meanwhile`. */
export interface ChangedMeanwhile<Thing> {
  /** The stale item, if several were saved. */
  id?: string
  /** Null: the service itself, or a deleted account. */
  changed_by: { id: string; name: string } | null
  changed_at: string | null
  /** The current state. */
  current: Thing
}
