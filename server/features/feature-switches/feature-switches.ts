// Features that the owner can limit to some members. All access checks for them are in this file.
import type * as adminContract from '#contract/admin/service/admin-features.ts'
import type { FeatureSwitch } from '#contract/admin/service/admin-features.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import {
  featureNames,
  type FeatureAudience,
  type FeatureName,
  type listMyFeatures as listMyFeaturesEndpoint,
} from '#contract/features.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Handle } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { canUseFeature } from '../billing/entitlements.ts'

/** Throws `feature_closed` if the feature is not open to the member. */
export async function requireFeature(ctx: MemberContext, name: FeatureName): Promise<void> {
  const audiences = await readAudiences(ctx.db)
  if (!canUseFeature(ctx.actor, audiences(name))) throw new AppError('feature_closed')
}

export async function listMyFeatures(
  ctx: MemberContext,
): Promise<Output<typeof listMyFeaturesEndpoint>> {
  const audiences = await readAudiences(ctx.db)
  return { data: featureNames.filter((name) => canUseFeature(ctx.actor, audiences(name))) }
}

export async function listFeatureSwitches(
  ctx: MemberContext,
): Promise<Output<typeof adminContract.listFeatureSwitches>> {
  const audiences = await readAudiences(ctx.db)
  return { data: featureNames.map((name) => ({ name, audience: audiences(name) })) }
}

export async function setFeatureSwitch(
  ctx: MemberContext,
  {
    params: { feature: name },
    body: { audience },
  }: ParsedInput<typeof adminContract.setFeatureSwitch>,
): Promise<FeatureSwitch> {
  return transaction(ctx.db, async (trx) => {
    const before = (await readAudiences(trx))(name)
    const updated_at = ctx.now().toISOString()
    await trx.query
      .insertInto('feature_switches')
      .values({ name, audience, updated_at })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ audience, updated_at }))
      .execute()
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'settings',
      entity_id: `features/${name}`,
      before: { audience: before },
      after: { audience },
    })
    return { name, audience }
  })
}

/** Not cached, so that a change takes effect on every instance immediately. */
async function readAudiences(handle: Handle): Promise<(name: FeatureName) => FeatureAudience> {
  const rows = await handle.query
    .selectFrom('feature_switches')
    .select(['name', 'audience'])
    .execute()
  return (name) => rows.find((row) => row.name === name)?.audience ?? 'everyone'
}
