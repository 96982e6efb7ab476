// The owner's settings, held in memory on every instance and renewed the moment anyone saves them.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import type { Log } from '../db/embedded-postgres.ts'
import type { SettingsRow, Versioned } from '../db/tables.ts'
import type { EventBus } from '../events/event-bus.ts'

/** The settings that requests and players need; the Stripe secret is not among them. */
export type LiveSettings = Omit<SettingsRow, 'stripe_webhook_secret' | 'id' | keyof Versioned>

export interface SettingsCache {
  current: () => LiveSettings
  /** What was saved before the call is what `current` gives afterwards. Throws when the database does not answer. */
  reload: () => Promise<void>
  /** The same for whoever heard of a change: tried again every second until it succeeds or the cache is closed. */
  reloadInTheEnd: () => Promise<void>
  close: () => void
}

const retryMs = 1_000

export async function createSettingsCache(
  db: Database,
  bus: EventBus,
  log: Log,
): Promise<SettingsCache> {
  let settings = await readSettings(db)
  let reading: Promise<void> | null = null
  let next: Promise<void> | null = null
  const closing = new AbortController()

  const read = async () => {
    settings = await readSettings(db)
  }
  const begin = () => (reading = read().finally(() => (reading = null)))

  /** One at a time: of two at once the older could be the last to arrive. */
  function reload(): Promise<void> {
    if (!reading) return begin()
    // What is being read may have been read before the change.
    next ??= reading
      .catch(() => {})
      .then(() => {
        next = null
        return reading ?? begin()
      })
    return next
  }

  /** Nobody tells a second time, and the old ones would stay: a closed service open, or an open one closed. */
  async function reloadInTheEnd(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        return await reload()
      } catch (error) {
        if (closing.signal.aborted) return
        log.warn({ err: error }, 'the settings could not be read, and are tried again')
        await sleep(retryMs, undefined, { ref: false })
      }
    }
  }

  bus.on('settings', reloadInTheEnd)
  bus.onMissed(reloadInTheEnd)
  return { current: () => settings, reload, reloadInTheEnd, close: () => closing.abort() }
}

function readSettings(db: Database): Promise<LiveSettings> {
  return db.query
    .selectFrom('settings')
    .select([
      'preview_length_seconds',
      'maintenance_mode',
      'pricing_monthly_cents',
      'pricing_yearly_cents',
      'stripe_price_monthly',
      'stripe_price_yearly',
      'streams_free',
      'streams_premium',
      'default_ai_disclosure',
      'admins_need_two_factor',
      'updated_at',
    ])
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
}
