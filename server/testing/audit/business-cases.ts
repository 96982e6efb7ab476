// Audit cases of money, settings, mail and webhooks.
import { randomUUID } from 'node:crypto'
import { exportAuditLog } from '#contract/admin/admin-audit.ts'
import { runBillingAction } from '#contract/admin/admin-billing.ts'
import * as legal from '#contract/admin/admin-legal.ts'
import { updateBranding } from '#contract/admin/admin-branding.ts'
import { setSetupHidden } from '#contract/admin/admin-overview.ts'
import { listCancellations } from '#contract/admin/money/admin-cancellations.ts'
import * as prices from '#contract/admin/money/admin-prices.ts'
import { voidReceipt } from '#contract/admin/money/admin-receipts.ts'
import { resendGift } from '#contract/admin/money/admin-gifts.ts'
import { voidReferral } from '#contract/admin/money/admin-referrals.ts'
import * as promotions from '#contract/admin/money/admin-promotions.ts'
import * as refunds from '#contract/admin/money/admin-refunds.ts'
import { getSettings, updateSettings } from '#contract/admin/admin-settings.ts'
import {
  discardFailedJob,
  downloadBackup,
  repairFiles,
  retryFailedJob,
  retryFailedJobs,
  startBackup,
} from '#contract/admin/admin-system.ts'
import * as stripe from '#contract/admin/money/admin-stripe.ts'
import * as bounces from '#contract/admin/service/admin-bounces.ts'
import * as mail from '#contract/admin/service/admin-mail.ts'
import * as mailWords from '#contract/admin/service/admin-mail-words.ts'
import { leaveDemo } from '#contract/admin/service/admin-demo.ts'
import { setFigureMails } from '#contract/admin/service/admin-figure-mails.ts'
import * as webhooks from '#contract/admin/webhooks.ts'
import * as users from '#contract/admin/admin-users.ts'
import { receiveBillingEvent } from '#contract/billing.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { exportInsights } from '#contract/admin/insights.ts'
import type { AuditWorld } from './audit-world.ts'
import { subscriptionEvent } from '../stripe/stripe-payloads.ts'
import { type AuditCase, createAuditCase, createCaseById, createPersonId } from './audit-case.ts'
import { manual, createManualSubscriber } from './people-cases.ts'

const defaultTexts = { subject: null, opening: null, closing: null }

/** Reopens the demo, because it can be closed only once. */
async function switchDemoOn({ app: { services } }: AuditWorld): Promise<void> {
  await services.db.query.deleteFrom('demo_steps').where('step', '=', 'left').execute()
  await services.settings.reload()
  services.demoProgress = () => ({ tracks_ready: 0, tracks_total: 20 })
}

/** Ends earlier price changes, because only one can be open. */
async function openPriceChange({ app }: AuditWorld): Promise<string> {
  const { query } = app.services.db
  await query.updateTable('price_changes').set({ state: 'done' }).execute()
  const prices = { currency: 'usd', monthly_cents: 999, yearly_cents: 9999 }
  const { id } = await query
    .insertInto('price_sets')
    .values({ ...prices, state: 'done' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const effective_at = new Date(Date.now() + 40 * 24 * 3600 * 1000).toISOString()
  await query.insertInto('price_changes').values({ id, effective_at }).execute()
  return id
}

type Billing = CallInput<typeof runBillingAction>['body']

const billing = (entry: AuditCase['entry'], fields: object, make = createPersonId) =>
  createAuditCase(runBillingAction, entry, async (world) => {
    const user_id = await make(world)
    return { input: { body: { ...fields, user_id } as Billing }, entity_id: user_id }
  })

const billingEvent = (entry: AuditCase['entry']) =>
  createAuditCase(receiveBillingEvent, entry, async ({ name, person }) => {
    const { id } = await person()
    const key = name('event').replace(' ', '_')
    const created = Math.floor(Date.now() / 1000)
    const body = subscriptionEvent('created', {
      created,
      subscription: `sub_${key}`,
      customer: `cus_${key}`,
      userId: id,
    })
    return { input: { body: { ...body } }, entity_id: id }
  })

const promotionTerms = {
  off: { kind: 'percent', percent_off: 25 },
  duration: { kind: 'once' },
  max_uses: null,
  expires_at: null,
  is_first_time_only: false,
  plan: null,
} as const

export const businessCases: AuditCase[] = [
  createAuditCase(exportAuditLog, 'export audit_log', async () => ({ input: {} })),
  createAuditCase(users.exportUsers, 'export user', async () => ({ input: {} })),
  createAuditCase(exportInsights, 'export insights', async () => ({
    input: { query: { what: 'days' as const, start: '2026-01-01', end: '2026-01-02' } },
  })),
  createAuditCase(runBillingAction, null, async () => ({
    input: { body: { action: 'list_subscriptions' as const } },
  })),
  billing(null, { action: 'get_subscription' }),
  billing(null, { action: 'list_payments' }),
  billing('update subscription', manual),
  billing('update subscription', {
    action: 'update_subscription',
    tier: 'premium',
    status: 'active',
  }),
  billing(
    'update subscription',
    { action: 'update_payment_method', payment_method: 'check' },
    createManualSubscriber,
  ),
  billing('update subscription', { action: 'update_note', note: 'Paid at the door' }),
  billing('update subscription', {
    action: 'record_payment',
    kind: 'payment',
    amount_cents: 999,
    payment_method: 'cash',
  }),
  createAuditCase(refunds.refundPayment, 'update subscription', async ({ stripePayment }) => {
    const { user_id, payment_id } = await stripePayment()
    const body = { amount_cents: 100, refunded_cents: 0, reason: 'duplicate' as const }
    return { input: { body: { ...body, payment_id } }, entity_id: user_id }
  }),
  createAuditCase(
    refunds.endPersonSubscription,
    'update subscription',
    async ({ stripePayment }) => {
      const { user_id: id } = await stripePayment()
      return { input: { params: { id }, body: { when: 'period_end' as const } }, entity_id: id }
    },
  ),
  createAuditCase(refunds.listRefunds, null, async () => ({ input: {} })),
  createAuditCase(listCancellations, null, async () => ({ input: {} })),
  createAuditCase(prices.getPrices, null, async () => ({ input: {} })),
  createAuditCase(prices.setPrices, 'update settings', async () => ({
    input: {
      body: { currency: 'usd', monthly_cents: 999, yearly_cents: 9999, effective_on: null },
    },
    entity_id: '1',
  })),
  createAuditCase(prices.callOffPriceChange, 'update settings', async (world) => ({
    input: { params: { price_change_id: await openPriceChange(world) } },
    entity_id: '1',
  })),
  createAuditCase(prices.tryCheckout, null, async ({ admin }) => {
    await admin.call(stripe.setStripeKey, { body: { key: 'sk_test_456' } })
    return { input: {} }
  }),
  createAuditCase(voidReceipt, 'update subscription', async ({ admin, person }) => {
    const { id } = await person()
    const entry = { kind: 'payment', amount_cents: 999, payment_method: 'cash' } as const
    const body = { action: 'record_payment' as const, user_id: id, ...entry }
    const { payments } = (await admin.call(runBillingAction, { body })).body
    const number = payments?.[0]?.receipt_number ?? 0
    return { input: { params: { receipt_number: number } }, entity_id: id }
  }),
  createAuditCase(resendGift, 'update gift', async (world) => {
    const gift_id = await world.gift()
    return { input: { params: { gift_id } }, entity_id: gift_id }
  }),
  createAuditCase(voidReferral, 'update referral', async (world) => {
    const referral_id = await world.referral()
    return { input: { params: { referral_id } }, entity_id: referral_id }
  }),
  createAuditCase(promotions.createPromotionCode, 'create promotion_code', async ({ name }) => ({
    input: { body: { ...promotionTerms, code: name('CODE').replace(' ', '') } },
  })),
  createAuditCase(
    promotions.deactivatePromotionCode,
    'update promotion_code',
    async ({ admin, name }) => {
      const body = { ...promotionTerms, code: name('CODE').replace(' ', '') }
      const { id } = (await admin.call(promotions.createPromotionCode, { body })).body
      return { input: { params: { promotion_code_id: id } }, entity_id: id }
    },
  ),
  billingEvent('simulate subscription'),
  billingEvent('update subscription'),
  createAuditCase(updateSettings, 'update settings', async ({ admin }) => {
    const { updated_at: _, version: __, ...settings } = (await admin.call(getSettings, {})).body
    const changed = { ...settings, stripe_price_monthly: 'price_new' }
    return { input: { body: { action: 'update' as const, settings: changed } }, entity_id: '1' }
  }),
  createAuditCase(updateBranding, 'update settings', async () => ({
    input: { body: { branding: { tagline: 'Late songs.', accent: '#2b50ff' } } },
    entity_id: 'branding',
  })),
  createAuditCase(mailWords.setMailWords, 'update settings', async () => ({
    input: {
      params: { kind: 'welcome' as const },
      body: { ...defaultTexts, subject: 'Come in, {{name}}' },
    },
    entity_id: 'mail/welcome',
  })),
  createAuditCase(setFigureMails, 'update settings', async () => ({
    input: { body: { is_on: true, weekday: 5, for_me: true } },
    entity_id: 'mail/figures',
  })),
  createAuditCase(mail.updateMailSettings, 'update settings', async () => ({
    input: { body: { settings: { reply_to: 'help@velour.test' } } },
    entity_id: 'mail',
  })),
  createAuditCase(bounces.updateBounceSettings, 'update settings', async () => ({
    input: { body: { settings: { bounce_address: 'bounces@velour.test' } } },
    entity_id: 'bounces',
  })),
  createAuditCase(legal.saveLegalPage, 'update settings', async () => ({
    input: { params: { slug: 'terms' }, body: { title: 'Terms', draft: 'Be kind.' } },
    entity_id: 'legal/terms',
  })),
  createAuditCase(legal.publishLegalPage, 'publish settings', async ({ admin }) => {
    const params = { slug: 'privacy' }
    await admin.call(legal.saveLegalPage, { params, body: { title: 'Privacy', draft: 'Little.' } })
    return { input: { params, body: {} }, entity_id: 'legal/privacy' }
  }),
  createAuditCase(legal.deleteLegalPage, 'delete settings', async ({ admin }) => {
    const params = { slug: 'imprint' }
    await admin.call(legal.saveLegalPage, { params, body: { title: 'Imprint', draft: 'Me.' } })
    return { input: { params }, entity_id: 'legal/imprint' }
  }),
  createAuditCase(setSetupHidden, 'update settings', async () => ({
    input: { body: { is_hidden: true } },
  })),
  createAuditCase(leaveDemo, 'create user', async (world) => {
    await switchDemoOn(world)
    const email = `${randomUUID()}@velour.test`
    return { input: { body: { owner: { email, password: 'a quiet blue morning' } } } }
  }),
  createAuditCase(leaveDemo, 'update settings', async (world) => {
    await switchDemoOn(world)
    return { input: { body: { owner: null } }, entity_id: 'demo' }
  }),
  createAuditCase(startBackup, 'create job', async () => ({ input: {} })),
  createAuditCase(downloadBackup, 'export backup', async (world) => ({
    input: { params: { name: await world.storedBackup() } },
  })),
  createCaseById(retryFailedJob, 'retry job', (world) => world.failedJob()),
  createAuditCase(retryFailedJobs, 'retry job', async (world) => ({
    input: {},
    entity_id: await world.failedJob(),
  })),
  createAuditCase(repairFiles, 'retry job', async () => ({ input: {} })),
  createAuditCase(mail.retryMails, 'retry job', async ({ admin }) => {
    await admin.call(mail.updateMailSettings, { body: { settings: { host: 'localhost' } } })
    return { input: {} }
  }),
  createAuditCase(mail.sendTestMail, null, async () => ({ input: {} })),
  createAuditCase(bounces.testBounceMailbox, null, async ({ admin }) => {
    const settings = { host: 'localhost', port: 9, user_name: 'ada', password: 'none' }
    await admin.call(bounces.updateBounceSettings, { body: { settings } })
    return { input: {} }
  }),
  createAuditCase(mailWords.previewMailWords, null, async () => ({
    input: {
      params: { kind: 'welcome' as const },
      body: { ...defaultTexts, theme: 'dark' as const },
    },
  })),
  createAuditCase(mailWords.testMailWords, null, async () => ({
    input: { params: { kind: 'welcome' as const }, body: defaultTexts },
  })),
  createCaseById(discardFailedJob, 'delete job', (world) => world.failedJob()),
]

/** These cases run last, because other cases need the Stripe key. */
export const stripeCases: readonly AuditCase[] = [
  createAuditCase(stripe.checkStripeKey, null, async () => ({
    input: { body: { key: 'sk_test_456' } },
  })),
  createAuditCase(stripe.connectStripeWebhook, 'update settings', async () => ({
    input: {},
    entity_id: 'stripe',
  })),
  createAuditCase(stripe.setStripeKey, 'update settings', async () => ({
    input: { body: { key: 'sk_test_456' } },
    entity_id: 'stripe',
  })),
  createAuditCase(stripe.removeStripeKey, 'update settings', async ({ app }) => {
    const { query } = app.services.db
    await query.updateTable('stripe_subscriptions').set({ status: 'canceled' }).execute()
    await query.deleteFrom('refund_requests').execute()
    await query.deleteFrom('stripe_closures').execute()
    await query.deleteFrom('stripe_tasks').execute()
    return { input: {}, entity_id: 'stripe' }
  }),
]

const webhookBody = {
  url: 'https://hooks.example/in',
  event_types: ['member.joined' as const],
}

async function aWebhook({ admin }: AuditWorld): Promise<string> {
  return (await admin.call(webhooks.createWebhookEndpoint, { body: webhookBody })).body.data.id
}

export const webhookCases: readonly AuditCase[] = [
  createAuditCase(webhooks.createWebhookEndpoint, 'create webhook', async () => ({
    input: { body: webhookBody },
  })),
  createCaseById(webhooks.updateWebhookEndpoint, 'update webhook', aWebhook, { is_enabled: false }),
  createCaseById(webhooks.deleteWebhookEndpoint, 'delete webhook', aWebhook),
  createCaseById(webhooks.rotateWebhookSecret, 'update webhook', aWebhook),
  createCaseById(webhooks.sendWebhookTest, 'simulate webhook', aWebhook),
  createAuditCase(webhooks.resendWebhookDelivery, 'retry webhook', async (world) => {
    const entity_id = await aWebhook(world)
    const sent = await world.admin.call(webhooks.sendWebhookTest, { params: { id: entity_id } })
    return { input: { params: { id: sent.body.data.delivery_id } }, entity_id }
  }),
]
