// Caches the owner's settings, branding, mail, bounce and Stripe settings, the list of legal pages, and whether the
// demo was switched off. Each instance keeps them in memory and reloads them whenever they change.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Handle } from '../../platform/db/database.ts'
import type { Log } from '../../platform/process/log.ts'
import type {
  BounceSettingsRow,
  BrandingRow,
  MailSettingsRow,
  StripeConnectionRow,
  SettingsRow,
  Versioned,
} from '../../platform/db/tables.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import { readBrandingRow } from './branding.ts'
import { readLegalIndex, type LegalIndex } from './legal-index.ts'
import { readStripeConnection } from './stripe-connection.ts'
import type { MailWords } from '#contract/mail/mail-kinds.ts'
import { readBounceSettings } from './bounce-mailbox.ts'
import { readMailSettings, readMailTexts } from './mail-settings.ts'

/** The settings that requests and players need, without the Stripe secret. */
export type LiveSettings = Omit<SettingsRow, 'stripe_webhook_secret' | 'id' | keyof Versioned>

export interface SettingsCache {
  current: () => LiveSettings
  /** The stored row. Code that displays branding uses `Branding` instead. */
  branding: () => BrandingRow
  legal: () => LegalIndex
  /** The stored mail settings. The environment variable takes precedence over them. */
  mail: () => MailSettingsRow
  /** The stored Stripe settings, with the key encrypted. The environment variable takes precedence over them. */
  stripe: () => StripeConnectionRow
  /** The stored bounce settings. The environment variable takes precedence over them. */
  bounces: () => BounceSettingsRow
  /** The texts that the owner set for each kind of email. */
  mailWords: () => ReadonlyMap<string, MailWords>
  /** Whether the demo was switched off permanently, even if DEMO=on is set. */
  isDemoLeft: () => boolean
  /**
   * Reloads the cache. Afterwards, it includes everything that was saved before the call. Throws if the database does
   * not respond.
   */
  reload: () => Promise<void>
  /** Handles a change notification: retries every second until reload succeeds or the cache is closed. */
  reloadWithRetry: () => Promise<void>
  close: () => void
}

/** The step in demo_steps which records that the demo was switched off. */
export const leftDemoStep = 'left'

const retryMs = 1_000

export async function createSettingsCache(
  db: Database,
  bus: EventBus,
  log: Log,
): Promise<SettingsCache> {
  let stored = await readAll(db)
  let reading: Promise<void> | null = null
  let next: Promise<void> | null = null
  const closing = new AbortController()

  const read = async () => {
    stored = await readAll(db)
  }
  const begin = () => (reading = read().finally(() => (reading = null)))

  /** Reads once at a time: of two concurrent reads, the older result could arrive last. */
  function reload(): Promise<void> {
    if (!reading) return begin()
    // The read in progress may have started before the change, so read once more after it.
    next ??= reading
      .catch(() => {})
      .then(() => {
        next = null
        return reading ?? begin()
      })
    return next
  }

  /**
   * A change is notified only once. Without retries, old settings such as maintenance mode would stay in effect after a
   * failed read.
   */
  async function reloadWithRetry(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        return await reload()
      } catch (error) {
        if (closing.signal.aborted) return
        log.warn({ err: error }, 'the settings could not be read; retrying')
        await sleep(retryMs, undefined, { ref: false })
      }
    }
  }

  bus.on('settings', reloadWithRetry)
  bus.onMissed(reloadWithRetry)
  return {
    current: () => stored.settings,
    branding: () => stored.branding,
    legal: () => stored.legal,
    mail: () => stored.mail,
    stripe: () => stored.stripe,
    mailWords: () => stored.mailWords,
    bounces: () => stored.bounces,
    isDemoLeft: () => stored.demoLeft,
    reload,
    reloadWithRetry,
    close: () => closing.abort(),
  }
}

/** Reads one table after the other, because concurrent queries would each open a connection at every start. */
async function readAll(db: Database) {
  return {
    settings: await readSettings(db),
    branding: await readBrandingRow(db),
    legal: await readLegalIndex(db),
    mail: await readMailSettings(db),
    stripe: await readStripeConnection(db),
    mailWords: await readMailTexts(db),
    bounces: await readBounceSettings(db),
    demoLeft: await isDemoLeft(db),
  }
}

function readSettings(db: Database): Promise<LiveSettings> {
  return db.query
    .selectFrom('settings')
    .select([
      'preview_length_seconds',
      'maintenance_mode',
      'currency',
      'tax_mode',
      'invoice_name',
      'invoice_address',
      'invoice_tax_id',
      'invoice_footer',
      'pricing_monthly_cents',
      'pricing_yearly_cents',
      'stripe_price_monthly',
      'stripe_price_yearly',
      'trial_days_monthly',
      'trial_days_yearly',
      'trial_needs_card',
      'grace_days',
      'news_mails_per_minute',
      'retention_percent',
      'retention_months',
      'renewal_reminder',
      'referral_months',
      'referral_yearly_limit',
      'referral_wait_days',
      'streams_free',
      'streams_premium',
      'default_ai_disclosure',
      'default_audience',
      'lyrics_on_pages',
      'admins_need_two_factor',
      'updated_at',
    ])
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
}

export async function isDemoLeft(handle: Handle): Promise<boolean> {
  const step = await handle.query
    .selectFrom('demo_steps')
    .select('step')
    .where('step', '=', leftDemoStep)
    .executeTakeFirst()
  return step !== undefined
}
