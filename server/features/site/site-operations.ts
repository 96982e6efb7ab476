// Returns public information about this service, and logs visits to pages that do not exist.
import { demoAccounts, demoPassword } from '#contract/demo.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type * as contract from '#contract/site.ts'
import type { Context } from '../../platform/operations/context.ts'
import { getIcons } from '../settings/emblem-files.ts'
import type { ReadBranding } from '../settings/branding.ts'
import type { SettingsCache } from '../settings/settings-cache.ts'

export interface SiteServices {
  settings: SettingsCache
  branding: ReadBranding
  /** How many demo tracks are ready. Null without the demo. */
  demoProgress: () => { tracks_ready: number; tracks_total: number } | null
  hasOwner: () => Promise<boolean>
}

/**
 * Returns information about the service. The demo accounts are included only in responses to requests from this
 * machine, never through a tunnel or proxy.
 */
export async function getSite(
  services: SiteServices,
  { isLocal }: { isLocal: boolean },
): Promise<Output<typeof contract.getSite>> {
  const settings = services.settings.current()
  const { landing_tracks: _, icon_id, ...shown } = services.branding()
  const legal = services.settings.legal()
  const progress = isLocal ? services.demoProgress() : null
  return {
    ...shown,
    has_owner: await services.hasOwner(),
    legal_pages: legal.pages,
    consent_number: legal.consentNumber,
    icon_url: icon_id && getIcons(icon_id).small,
    maintenance_mode: settings.maintenance_mode,
    preview_length_seconds: settings.preview_length_seconds,
    pricing: {
      monthly_cents: settings.pricing_monthly_cents,
      yearly_cents: settings.pricing_yearly_cents,
      currency: settings.currency,
    },
    default_ai_disclosure: settings.default_ai_disclosure,
    default_audience: settings.default_audience,
    demo: progress && {
      accounts: demoAccounts.map(({ email, label }) => ({ email, label })),
      password: demoPassword,
      ...progress,
    },
  }
}

export async function recordNotFoundVisit(
  ctx: Context,
  { body }: ParsedInput<typeof contract.recordNotFoundVisit>,
): Promise<void> {
  // Remove the query and hash, which may contain the token of a truncated link.
  const path = body.path.replace(/[?#].*$/s, '')
  ctx.log.warn({ path, user_id: ctx.actor?.user_id }, 'page not found')
}
