// The owner's settings, held in memory on every instance and renewed the moment anyone saves them.
import type { Database } from '../db/database.ts'
import type { SettingsRow } from '../db/tables.ts'
import type { EventBus } from '../events/event-bus.ts'

/** The settings that requests and players need; the Stripe secret is not among them. */
export type LiveSettings = Omit<SettingsRow, 'stripe_webhook_secret' | 'id'>

export interface SettingsCache {
  current: () => LiveSettings
  reload: () => Promise<void>
}

export async function createSettingsCache(db: Database, bus: EventBus): Promise<SettingsCache> {
  let settings = await readSettings(db)
  const reload = async () => {
    settings = await readSettings(db)
  }
  bus.on('settings', reload)
  bus.onMissed(reload)
  return { current: () => settings, reload }
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
      'updated_at',
    ])
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
}
