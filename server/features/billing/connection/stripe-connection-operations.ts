// Checks, stores and removes the owner's Stripe key. The key is stored encrypted and never returned.
import type * as contract from '#contract/admin/money/admin-stripe.ts'
import { stripeRights } from '#contract/admin/money/admin-stripe.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { changedBy } from '../../../platform/audit/changed-meanwhile.ts'
import { writeAudit } from '../../../platform/audit/write-audit.ts'
import type { Config } from '../../../platform/config/config.ts'
import { transaction, type Handle } from '../../../platform/db/database.ts'
import type { PriceSetRow, StripeConnectionRow } from '../../../platform/db/tables.ts'
import { notify } from '../../../platform/events/event-bus.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import type { MemberContext } from '../../../platform/operations/context.ts'
import type { SettingsCache } from '../../settings/settings-cache.ts'
import { readStripeConnection, resolveStripeKey } from '../../settings/stripe-connection.ts'
import { createPriceSet, type PriceServices } from '../prices/create-prices.ts'
import { createClient } from '../stripe-client.ts'
import {
  countInUse,
  findAccountChange,
  clearAccount,
  leaveAccount,
  rejectIfInUse,
} from './account-change.ts'
import { checkKey, type KeyFacts } from './check-key.ts'
import {
  connectWebhook,
  isReachable,
  readWebhookSecret,
  getWebhookUrl,
  type WebhookServices,
} from './webhook-endpoint.ts'

export interface ConnectionServices extends WebhookServices, PriceServices {
  config: Pick<Config, 'publicUrl' | 'stripeApiUrl' | 'stripeSecretKey'>
  settings: Pick<SettingsCache, 'reload'>
}

type Answer = Output<typeof contract.getStripeConnection>

/** Do not retry requests of a key check, because the admin is waiting for the response. */
const checkOptions = { maxNetworkRetries: 0 }

export function getStripeConnection(
  services: ConnectionServices,
  ctx: MemberContext,
): Promise<Answer> {
  return present(services, ctx.db)
}

export async function checkStripeKey(
  { config, secretBox }: ConnectionServices,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.checkStripeKey>,
): Promise<Output<typeof contract.checkStripeKey>> {
  const before = await readStripeConnection(ctx.db)
  const key = body.key ?? resolveStripeKey(config, before, secretBox)
  if (key === null) throw new AppError('stripe_not_configured')
  const client = await createClient(config, key, checkOptions)
  const facts = await checkKey(client, key)
  return {
    ...facts,
    change: await findAccountChange(ctx.db, client, facts, before),
    customers: await countCustomers(ctx.db),
    in_use: await countInUse(ctx.db),
  }
}

export async function setStripeKey(
  services: ConnectionServices,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.setStripeKey>,
): Promise<Answer> {
  refuseSetInEnvironment(services)
  const { config, secretBox } = services
  const client = await createClient(config, body.key, checkOptions)
  const facts = await checkKey(client, body.key)
  const seen = await readStripeConnection(ctx.db)
  const change = await findAccountChange(ctx.db, client, facts, seen)
  if (change === 'other' && body.other_account !== true) throw new AppError('stripe_other_account')
  const prices = await transaction(ctx.db, async (trx) => {
    const before = await readStripeConnection(trx, { lock: true })
    // Another admin has saved a key since `seen` was read, so the comparison of the accounts is out of date.
    if (before.set_at !== seen.set_at) throw new AppError('stripe_other_account')
    if (change === 'other') await rejectIfInUse(trx)
    const { last4, ...account } = facts
    await trx.query
      .updateTable('stripe_connection')
      .set({
        ...account,
        key_last4: last4,
        key_sealed: secretBox.seal(body.key),
        set_at: ctx.now().toISOString(),
        ...(change === 'other' && { ...noWebhook, account_number: before.account_number + 1 }),
      })
      .where('id', '=', 1)
      .execute()
    const made = change === 'other' ? await clearAccount(ctx, trx) : null
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'settings',
      entity_id: 'stripe',
      before: audited(before),
      after: { ...toAuditFields(facts), stripe_key: 'changed', account_change: change },
    })
    await notify(trx, 'settings')
    return made
  })
  // This instance switches to the new key immediately. The other instances switch when they receive the notification
  // about changed settings.
  await services.settings.reload()
  if (change === 'other') await cleanUpOldAccount(services, ctx, seen)
  await startUsingAccount(services, ctx, prices)
  return present(services, ctx.db)
}

async function startUsingAccount(
  services: ConnectionServices,
  ctx: MemberContext,
  prices: PriceSetRow | null,
): Promise<void> {
  await connectWebhook(services, ctx, { keepManual: true })
  if (prices) await createPriceSet(services, prices)
  await services.settings.reload()
}

export async function removeStripeKey(
  services: ConnectionServices,
  ctx: MemberContext,
): Promise<Answer> {
  refuseSetInEnvironment(services)
  const removed = await transaction(ctx.db, async (trx) => {
    const before = await readStripeConnection(trx, { lock: true })
    if (before.key_sealed === '') return null
    await rejectIfInUse(trx)
    const webhook = await readWebhookSecret(services, trx, before)
    await trx.query
      .updateTable('stripe_connection')
      .set({ key_sealed: '', key_last4: '', missing_rights: [], set_at: null, ...noWebhook })
      .where('id', '=', 1)
      .execute()
    if (webhook.isFromStripe) {
      await trx.query
        .updateTable('settings')
        .set({ stripe_webhook_secret: '', ...changedBy(ctx) })
        .where('id', '=', 1)
        .execute()
    }
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'settings',
      entity_id: 'stripe',
      before: audited(before),
      after: { stripe_key: 'removed' },
    })
    await notify(trx, 'settings')
    return before
  })
  if (removed) {
    await services.settings.reload()
    await cleanUpOldAccount(services, ctx, removed)
  }
  return present(services, ctx.db)
}

export async function connectStripeWebhook(
  services: ConnectionServices,
  ctx: MemberContext,
): Promise<Answer> {
  await connectWebhook(services, ctx, { keepManual: false })
  await services.settings.reload()
  return present(services, ctx.db)
}

function refuseSetInEnvironment({ config }: ConnectionServices): void {
  if (config.stripeSecretKey !== null) throw new AppError('set_in_environment')
}

const noWebhook = {
  webhook_id: null,
  webhook_url: null,
  webhook_secret_hash: null,
  webhook_failure: null,
  webhook_tried_at: null,
} as const

async function cleanUpOldAccount(
  { config, secretBox }: ConnectionServices,
  ctx: MemberContext,
  { key_sealed, webhook_id }: StripeConnectionRow,
): Promise<void> {
  const key = secretBox.open(key_sealed)
  if (!key) return
  const client = await createClient(config, key, checkOptions)
  await leaveAccount(client, { publicUrl: config.publicUrl, webhook_id, log: ctx.db.log })
}

async function present(services: ConnectionServices, handle: Handle): Promise<Answer> {
  const { config, secretBox } = services
  const row = await readStripeConnection(handle)
  const fromEnvironment = config.stripeSecretKey
  const saved = secretBox.open(row.key_sealed)
  const isSaved = fromEnvironment === null && row.key_sealed !== ''
  const { isFromStripe, secret } = await readWebhookSecret(services, handle, row)
  const isMoved = row.webhook_url !== null && row.webhook_url !== getWebhookUrl(config)
  return {
    key_source: fromEnvironment !== null ? 'environment' : isSaved ? 'saved' : 'none',
    is_key_lost: isSaved && saved === null,
    last4: fromEnvironment?.slice(-4) ?? row.key_last4,
    is_live: fromEnvironment ? fromEnvironment.split('_')[1] === 'live' : row.is_live,
    account_name: isSaved ? row.account_name : null,
    account_id: isSaved ? row.account_id : null,
    missing_rights: isSaved
      ? stripeRights.filter((right) => row.missing_rights.includes(right))
      : [],
    set_at: isSaved ? row.set_at : null,
    in_use: await countInUse(handle),
    webhook: {
      state: isFromStripe ? (isMoved ? 'moved' : 'connected') : secret === '' ? 'none' : 'by_hand',
      url: getWebhookUrl(config),
      is_reachable: isReachable(config),
      failure: row.webhook_failure,
      tried_at: row.webhook_tried_at,
    },
  }
}

async function countCustomers(handle: Handle): Promise<number> {
  const { count } = await handle.query
    .selectFrom('subscriptions')
    .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('count'))
    .where('stripe_customer_id', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}

function toAuditFields({ account_id, account_name, is_live, last4 }: KeyFacts) {
  return { account_id, account_name, is_live, key_last4: last4 }
}

function audited({
  account_id,
  account_name,
  is_live,
  key_last4,
  key_sealed,
}: StripeConnectionRow) {
  return key_sealed === '' ? {} : { account_id, account_name, is_live, key_last4 }
}
