// The interface of all writers of the load: a writer acts sequentially, and then reports where the state contradicts
// the responses that it received.
import type { Settings } from '#contract/admin/admin-settings.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { SeededRandom } from './seeded-random.ts'
import type { ResponseLog, FaultClient } from './fault-client.ts'

export interface Writer {
  name: string
  /** The pause between two actions. */
  everyMs: number
  act: () => Promise<void>
  /**
   * Returns the differences between the responses and the stored state, as messages. Call it only between two actions.
   */
  audit: (state: State) => Promise<string[]>
  /** Number of acknowledged writes so far. */
  acknowledged: () => number
}

/** Access to the actual state. */
export interface State {
  /** Connected as the owner of the tables. */
  db: Database
  owner: FaultClient
}

export interface WriterWorld {
  /** Base URL of any instance. */
  url: () => string
  chance: SeededRandom
  responses: ResponseLog
  owner: FaultClient
  members: Member[]
  /** Published, 6 seconds each. */
  trackIds: string[]
  /** The slugs are `shelf-0` and so on. */
  categoryIds: string[]
}

/** Without the fields that need a confirmation: a test takes longer than a confirmation is valid. */
export type SavedSettings = Omit<Settings, 'stripe_webhook_secret' | 'admins_need_two_factor'>

export interface Member {
  id: string
  email: string
  client: FaultClient
  /** What their plan at the start entitles them to. */
  hears: 'stream' | 'preview'
}

export const memberPassword = 'a-long-password'
