// Optimistic locking: a save may include the version on which it is based.
import * as z from 'zod/mini'

/** Incremented on every change. Send it back when saving. */
export const version = z.int()

/** In a request. If absent, the save overwrites any version. */
export const readVersion = z.optional(z.int().check(z.minimum(1)))

/** The `details` of the error `changed_meanwhile`. */
export interface ChangedMeanwhile<Thing> {
  /** The id of the outdated item, if several were saved together. */
  id?: string
  /** Null if the service made the change, or if the account was deleted. */
  changed_by: { id: string; name: string } | null
  changed_at: string | null
  /** The current state of the item. */
  current: Thing
}
