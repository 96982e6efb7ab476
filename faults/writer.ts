// What every writer of the load has in common: it acts, one act after the other, and afterwards says what of the state
// contradicts what it was told.
import type { Settings } from '../contract/admin-settings.ts'
import type { Database } from '../server/db/database.ts'
import type { Chance } from './seeded-random.ts'
import type { Answers, FaultClient } from './fault-client.ts'

export interface Writer {
  name: string
  /** The pause between two acts. */
  everyMs: number
  act: () => Promise<void>
  /** Only between two acts. Sentences about what was acknowledged and is not so, or the other way round. */
  audit: (state: State) => Promise<string[]>
  /** How many writes were acknowledged so far. */
  acknowledged: () => number
}

/** Where the truth is. */
export interface State {
  /** As the owner of the tables. */
  db: Database
  owner: FaultClient
}

export interface House {
  /** Of any instance. */
  url: () => string
  chance: Chance
  answers: Answers
  owner: FaultClient
  members: Member[]
  /** Published, 6 seconds each. */
  trackIds: string[]
  /** The slugs are `shelf-0` and so on. */
  categoryIds: string[]
}

/** Without the fields that need a confirmation: a journey takes longer than one holds. */
export type SavedSettings = Omit<Settings, 'stripe_webhook_secret' | 'admins_need_two_factor'>

export interface Member {
  id: string
  email: string
  client: FaultClient
  /** What their plan gave them from the start. */
  hears: 'stream' | 'preview'
}

export const memberPassword = 'a-long-password'
