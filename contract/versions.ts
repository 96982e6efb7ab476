// What several people edit at once: each save may name the version it was made from.
import * as z from 'zod/mini'

/** Counts the changes of what people edit. Send it back when saving. */
export const version = z.int()

/** In a request. Absent: the save overwrites any version. */
export const readVersion = z.optional(z.int().check(z.minimum(1)))

/** Details of the error `changed_meanwhile`. */
export interface ChangedMeanwhile<Thing> {
  /** One of several things was stale: which. */
  id?: string
  /** Null: the service itself, or somebody whose account is gone. */
  changed_by: { id: string; name: string } | null
  changed_at: string | null
  /** The thing as it is now. */
  current: Thing
}
