// A writer is a simulated user that changes data, one change after another. Its audit then compares the stored data
// with the responses that it got.
import type { Settings } from '#contract/admin/admin-settings.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { SeededRandom } from './seeded-random.ts'
import type { ResponseLog, FaultClient } from './fault-client.ts'

export interface Writer {
  name: string
  /** The pause between two actions in milliseconds. */
  everyMs: number
  act: () => Promise<void>
  /** Returns where the stored data contradicts the responses, as messages. Call it only between two actions. */
  audit: (state: State) => Promise<string[]>
  /** Number of acknowledged writes so far. */
  acknowledged: () => number
}

/** Access to the stored data. */
export interface State {
  /** Connected as the role that owns the tables. */
  db: Database
  owner: FaultClient
}

export interface WriterWorld {
  /** Returns the base URL of any instance. */
  url: () => string
  chance: SeededRandom
  responses: ResponseLog
  owner: FaultClient
  members: Member[]
  /** Published tracks of 6 seconds each. */
  trackIds: string[]
  /** Categories with the slugs `shelf-0`, `shelf-1` and so on. */
  categoryIds: string[]
}

/** Leaves out the fields that require a confirmation, because a confirmation expires before the test ends. */
export type SavedSettings = Omit<Settings, 'stripe_webhook_secret' | 'admins_need_two_factor'>

export interface Member {
  id: string
  email: string
  client: FaultClient
  /** The audio that the member's plan allowed at the start of the test. */
  hears: 'stream' | 'preview'
}

export const memberPassword = 'a-long-password'
