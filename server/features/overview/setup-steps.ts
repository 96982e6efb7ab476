// The completed setup steps of a new service, derived from its actual state.
import { setupSteps, type OverviewSetup, type SetupStep } from '#contract/admin/admin-overview.ts'
import { isLoopback } from '../../platform/config/config.ts'
import { mailFrom } from '../settings/branding.ts'
import type { SystemServices } from '../system/system-operations.ts'

/** The default name of a service. */
const namelessBrand = 'Velour'

interface SetupFacts {
  last_backup_at: string | null
  has_own_tracks: boolean
  are_prices_saved: boolean
}

export function listSetupSteps(
  {
    config,
    branding,
    mailer,
    settings,
    stripe,
  }: Pick<SystemServices, 'config' | 'branding' | 'mailer' | 'settings' | 'stripe'>,
  { last_backup_at, has_own_tracks, are_prices_saved }: SetupFacts,
): OverviewSetup['steps'] {
  const { brand_name } = branding()
  const from = mailFrom(config, brand_name, settings.mail())
  const sender = typeof from === 'string' ? from : `${from.name} <${from.address}>`
  const { hostname } = new URL(config.publicUrl)
  const facts: Record<SetupStep, { is_done: boolean; current: string | null }> = {
    brand: { is_done: brand_name !== namelessBrand, current: brand_name },
    first_upload: { is_done: has_own_tracks, current: null },
    prices: { is_done: are_prices_saved || stripe.isSetUp(), current: null },
    mail: { is_done: mailer.sendsBySmtp, current: mailer.sendsBySmtp ? sender : null },
    backup: { is_done: last_backup_at !== null, current: last_backup_at },
    public_address: {
      is_done: !isLoopback(hostname.replace(/^\[|\]$/g, '')),
      current: config.publicUrl,
    },
  }
  return setupSteps.map((step) => ({ step, ...facts[step] }))
}
