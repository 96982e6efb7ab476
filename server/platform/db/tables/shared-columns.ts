// Columns that several tables have.
import type { Generated } from 'kysely'
import type { Audience } from '#contract/fields/availability.ts'

/**
 * Columns of rows that several people edit. Only triggers set the version. An operation sets the other two columns.
 */
export interface Versioned {
  readonly version: Generated<number>
  changed_by: string | null
  changed_at: string | null
}

/** Columns that define when and for whom an item is available, see features/availability. */
export interface Available {
  release_at: string | null
  release_zone: string | null
  early_access_days: Generated<number>
  early_access_until: string | null
  audience: Generated<Audience>
}
