// Members' consent to the terms. A member must consent to the newest version that requires it; consent to a later
// version counts as well.
import type * as contract from '#contract/legal.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { SettingsCache } from '../settings/settings-cache.ts'

export async function getTermsConsent(
  { settings }: { settings: SettingsCache },
  { db, actor }: MemberContext,
): Promise<Output<typeof contract.getTermsConsent>> {
  const wanted = settings.legal().consentNumber
  // Admins publish the terms, so they need not consent.
  if (wanted === null || actor.role === 'admin') return { data: null }
  const given = await db.query
    .selectFrom('terms_consents')
    .select('number')
    .where('user_id', '=', actor.user_id)
    .where('number', '>=', wanted)
    .executeTakeFirst()
  if (given) return { data: null }
  const asked = await db.query
    .selectFrom('legal_versions')
    .select(['number', 'title', 'published_at'])
    .where('slug', '=', 'terms')
    .orderBy('number', 'desc')
    .executeTakeFirst()
  return { data: asked ?? null }
}

export async function giveTermsConsent(
  services: { settings: SettingsCache },
  ctx: MemberContext,
  { body: { number } }: ParsedInput<typeof contract.giveTermsConsent>,
): Promise<Output<typeof contract.giveTermsConsent>> {
  const version = await ctx.db.query
    .selectFrom('legal_versions')
    .select('number')
    .where('slug', '=', 'terms')
    .where('number', '=', number)
    .executeTakeFirst()
  if (!version) throw new AppError('legal_page_not_found')
  await ctx.db.query
    .insertInto('terms_consents')
    .values({
      user_id: ctx.actor.user_id,
      number,
      way: 'asked',
      consented_at: ctx.now().toISOString(),
    })
    // Keep the first consent if the same version is confirmed twice.
    .onConflict((conflict) => conflict.columns(['user_id', 'number']).doNothing())
    .execute()
  // Returns a version if a newer one was published in the meantime.
  return getTermsConsent(services, ctx)
}
