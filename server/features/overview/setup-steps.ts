// Determines which setup steps of a new service are completed, from the actual state of the service.
import { setupSteps, type OverviewSetup, type SetupStep } from '#contract/admin/admin-overview.ts'
import type { FooterPage } from '#contract/legal.ts'
import { isLoopback } from '../../platform/config/config.ts'
import { mailFrom } from '../settings/branding.ts'
import type { SystemServices } from '../system/system-operations.ts'

/** The default brand name. The branding step is open until the owner changes the name. */
const defaultBrandName = 'Velour'

/** Pages that a service should publish before it sells Premium. */
const paidPages = ['terms', 'privacy', 'contact'] as const satisfies readonly FooterPage[]

interface SetupFacts {
  last_backup_at: string | null
  has_own_tracks: boolean
  has_published_tracks: boolean
  are_prices_saved: boolean
  has_webhook_secret: boolean
}

export function listSetupSteps(
  {
    config,
    branding,
    mailer,
    settings,
    stripe,
  }: Pick<SystemServices, 'config' | 'branding' | 'mailer' | 'settings' | 'stripe'>,
  known: SetupFacts,
): OverviewSetup['steps'] {
  const { brand_name } = branding()
  const from = mailFrom(config, brand_name, settings.mail())
  const sender = typeof from === 'string' ? from : `${from.name} <${from.address}>`
  const { hostname } = new URL(config.publicUrl)
  const { pages } = settings.legal()
  const missingPage = paidPages.find((slug) => pages.every((page) => page.slug !== slug)) ?? null
  const missingKey = !stripe.isSetUp() ? 'secret_key' : known.has_webhook_secret ? null : 'webhook'
  const { last_backup_at } = known
  const { stripe_price_monthly, stripe_price_yearly } = settings.current()
  const hasPrices = stripe_price_monthly !== '' && stripe_price_yearly !== ''
  const facts: Record<SetupStep, { is_done: boolean; current: string | null }> = {
    brand: { is_done: brand_name !== defaultBrandName, current: brand_name },
    first_upload: { is_done: known.has_own_tracks, current: null },
    publish: { is_done: known.has_published_tracks, current: null },
    prices: {
      is_done: stripe.isSetUp() ? hasPrices : known.are_prices_saved,
      current: null,
    },
    legal: { is_done: missingPage === null, current: missingPage },
    stripe: { is_done: missingKey === null, current: missingKey },
    mail: { is_done: mailer.sendsBySmtp, current: mailer.sendsBySmtp ? sender : null },
    backup: { is_done: last_backup_at !== null, current: last_backup_at },
    public_address: {
      is_done: !isLoopback(hostname.replace(/^\[|\]$/g, '')),
      current: config.publicUrl,
    },
  }
  return setupSteps.map((step) => ({ step, ...facts[step] }))
}
