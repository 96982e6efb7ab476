// Lists, adds and removes the browsers in which a member gets push notifications.
import { describeDevice } from '#contract/describe-device.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import * as contract from '#contract/push.ts'
import { transaction, type Database } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import type { Route } from '../../platform/http/route.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { SecretBox } from '../../platform/security/secret-box.ts'
import { findWebhookUrlError, type TargetConfig } from '../webhooks/webhook-target.ts'
import { areValidReceiverKeys } from './encrypt-push.ts'
import { readPushKeys } from './push-keys.ts'

export interface PushServices {
  db: Database
  config: TargetConfig
  secretBox: SecretBox
}

export function pushRoutes(route: Route, services: PushServices): void {
  route(contract.getPushKey, () => getPushKey(services))
  route(contract.listPushSubscriptions, listPushSubscriptions)
  route(contract.createPushSubscription, (ctx, input) =>
    createPushSubscription(services, ctx, input),
  )
  route(contract.deletePushSubscription, deletePushSubscription)
}

async function getPushKey({
  db,
  secretBox,
}: PushServices): Promise<Output<typeof contract.getPushKey>> {
  return { public_key: (await readPushKeys(db, secretBox)).publicKey }
}

async function listPushSubscriptions(
  ctx: MemberContext,
): Promise<Output<typeof contract.listPushSubscriptions>> {
  const rows = await selectOwnSubscriptions(ctx).orderBy('x.created_at', 'desc').execute()
  return { data: rows.map((row) => present(ctx, row)) }
}

async function createPushSubscription(
  { config }: PushServices,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.createPushSubscription>,
): Promise<Output<typeof contract.createPushSubscription>> {
  const { endpoint, keys } = body
  const { user_id, session_id } = ctx.actor
  if (!areValidReceiverKeys(keys) || findWebhookUrlError(config, endpoint) !== null) {
    throw new AppError('push_subscription_refused')
  }
  return transaction(ctx.db, async (trx) => {
    await trx.query
      .deleteFrom('push_subscriptions')
      .where((eb) => eb.or([eb('session_id', '=', session_id), eb('endpoint', '=', endpoint)]))
      .execute()
    const { id } = await trx.query
      .insertInto('push_subscriptions')
      .values({ user_id, session_id, endpoint, p256dh: keys.p256dh, auth: keys.auth })
      .returning('id')
      .executeTakeFirstOrThrow()
    await trx.query
      .insertInto('news_consents')
      .values({ user_id, kind: 'push', choice: 'on', way: 'profile' })
      .execute()
    await notify(trx, 'follows', user_id)
    const row = await selectOwnSubscriptions({ ...ctx, db: trx })
      .where('x.id', '=', id)
      .executeTakeFirst()
    // The member's session has ended in the meantime, and the subscription with it.
    if (!row) throw new AppError('unauthenticated')
    return present(ctx, row)
  })
}

async function deletePushSubscription(
  ctx: MemberContext,
  { params: { id } }: ParsedInput<typeof contract.deletePushSubscription>,
): Promise<void> {
  const { user_id } = ctx.actor
  await transaction(ctx.db, async (trx) => {
    const deleted = await trx.query
      .deleteFrom('push_subscriptions')
      .where('id', '=', id)
      .where('user_id', '=', user_id)
      .returning('id')
      .executeTakeFirst()
    if (!deleted) throw new AppError('not_found')
    await trx.query
      .insertInto('news_consents')
      .values({ user_id, kind: 'push', choice: 'off', way: 'profile' })
      .execute()
    await notify(trx, 'follows', user_id)
  })
}

function selectOwnSubscriptions({
  db,
  actor,
}: {
  db: Pick<Database, 'query'>
  actor: MemberContext['actor']
}) {
  return db.query
    .selectFrom('push_subscriptions as x')
    .innerJoin('sessions as s', 's.id', 'x.session_id')
    .select(['x.id', 'x.session_id', 's.user_agent', 'x.created_at'])
    .where('x.user_id', '=', actor.user_id)
}

function present(
  { actor }: MemberContext,
  row: { id: string; session_id: string; user_agent: string | null; created_at: string },
): contract.PushSubscriptionInfo {
  const { id, session_id, user_agent, created_at } = row
  const device = describeDevice(user_agent).name
  return { id, device, is_current: session_id === actor.session_id, created_at }
}
