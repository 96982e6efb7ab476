// Optimistic locking: each save may include the version that it is based on.
import * as z from 'zod/mini'

/** Incremented on every change. Send it back when saving. */
export const version = z.int()

/** In a request. If absent, the save overwrites any version. */
export const readVersion = z.optional(z.int().check(z.minimum(1)))

/** Details of the error `changed_meanwhile`. */
export interface ChangedMeanwhile<Thing> {
  /** The outdated item, if several were saved together. */
  id?: string
  /** Null for the service itself or a deleted account. */
  changed_by: { id: string; name: string } | null
  changed_at: string | null
  /** The current state. */
  current: Thing
}
