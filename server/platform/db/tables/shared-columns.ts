// Columns that several tables have.
import type { Generated } from 'kysely'
import type { Audience } from '#contract/fields/availability.ts'

/** Rows that several people edit. Only triggers set the version; a person's change sets the other two columns. */
export interface Versioned {
  readonly version: Generated<number>
  changed_by: string | null
  changed_at: string | null
}

/** When and for whom something can be heard: `features/availability`. */
export interface Available {
  release_at: string | null
  release_zone: string | null
  early_access_days: Generated<number>
  early_access_until: string | null
  audience: Generated<Audience>
}
