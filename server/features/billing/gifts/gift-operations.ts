// Buying gifts on Stripe's payment page, and listing the gifts that a member has bought.
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { giftMonths, type Gift, type GiftMonths } from '#contract/gifts.ts'
import type * as contract from '#contract/gifts.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { GiftRow } from '../../../platform/db/tables.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import type { MemberContext } from '../../../platform/operations/context.ts'
import type { SecretBox } from '../../../platform/security/secret-box.ts'
import type { Branding } from '../../settings/branding.ts'
import { streamingTaxCode, getTaxParams } from '../tax/checkout-tax.ts'
import { callStripe, type StripeAccess } from '../stripe-client.ts'
import { readStripeSettings, type StripeSettings } from '../stripe-settings.ts'

export interface GiftServices {
  config: Pick<Config, 'publicUrl'>
  stripe: StripeAccess
  secretBox: SecretBox
  branding: () => Pick<Branding, 'brand_name'>
}

const shownGifts = 100
/** The time at which gift emails are sent: noon UTC, daytime in Europe and morning in the eastern United States. */
const sendTime = 'T12:00:00.000Z'

export async function listGifts(
  services: GiftServices,
  ctx: MemberContext,
): Promise<Output<typeof contract.listGifts>> {
  const settings = await readStripeSettings(ctx.db, services.secretBox)
  const rows = await ctx.db.query
    .selectFrom('gifts')
    .selectAll()
    .where('buyer_id', '=', ctx.actor.user_id)
    .where('paid_at', 'is not', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(shownGifts)
    .execute()
  return {
    offers: giftMonths.map((months) => ({
      months,
      price_cents: priceOf(settings, months),
      currency: settings.currency,
    })),
    is_purchase_live: canSell(services, settings),
    data: rows.map((row) => present(services, row)),
  }
}

/**
 * Inserts the gift before the payment, so that Stripe's event about the payment can refer to it. Returns the payment
 * page.
 */
export async function buyGift(
  services: GiftServices,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.buyGift>,
): Promise<Output<typeof contract.buyGift>> {
  const settings = await readStripeSettings(ctx.db, services.secretBox)
  if (!canSell(services, settings)) throw new AppError('stripe_not_configured')
  const { user_id, email } = ctx.actor
  const amount_cents = priceOf(settings, body.months)
  const { months, from_name, recipient_email, message } = body
  const { id } = await ctx.db.query
    .insertInto('gifts')
    .values({
      buyer_id: user_id,
      months,
      amount_cents,
      currency: settings.currency,
      from_name,
      message,
      recipient_email,
      send_at: recipient_email === null ? null : getSendTime(ctx.now(), body.send_on),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const metadata = { gift_id: id, user_id }
  const screen = `${services.config.publicUrl}/gift?checkout=`
  const session = await callStripe(services.stripe, (client) =>
    client.checkout.sessions.create(
      {
        mode: 'payment',
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: settings.currency,
              unit_amount: amount_cents,
              ...(settings.tax_mode === 'stripe_tax' && { tax_behavior: 'inclusive' as const }),
              product_data: {
                name: nameOf(services, months),
                ...(settings.tax_mode !== 'off' && { tax_code: streamingTaxCode }),
              },
            },
          },
        ],
        customer_email: email,
        client_reference_id: user_id,
        metadata,
        payment_intent_data: { metadata },
        ...getTaxParams(settings.tax_mode, { hasCustomer: false }),
        success_url: `${screen}done`,
        cancel_url: `${screen}canceled`,
      },
      { idempotencyKey: `gift-${id}` },
    ),
  )
  if (!session.url) throw new AppError('stripe_failed')
  return { url: session.url }
}

function nameOf({ branding }: GiftServices, months: number): string {
  const period = months === 1 ? '1 month' : `${months} months`
  return `${branding().brand_name} Premium as a gift, ${period}`
}

function priceOf({ amounts_cents }: StripeSettings, months: GiftMonths): number {
  return months === 12 ? amounts_cents.yearly : amounts_cents.monthly * months
}

/**
 * Whether a gift can be sold. If the webhook secret is not set, the buyer would be charged but nothing would be
 * delivered.
 */
function canSell({ stripe }: GiftServices, settings: StripeSettings): boolean {
  const hasPrices = giftMonths.every((months) => priceOf(settings, months) > 0)
  return stripe.isSetUp() && settings.webhook_secret !== '' && hasPrices
}

function getSendTime(now: Date, day: string | null): string {
  const moment = day === null ? now.toISOString() : `${day}${sendTime}`
  return moment < now.toISOString() ? now.toISOString() : moment
}

function present({ secretBox }: GiftServices, row: GiftRow): Gift {
  const { id, months, amount_cents, currency, recipient_email, message, send_at } = row
  const state = getGiftState(row)
  const isOpen = state !== 'redeemed' && state !== 'refunded'
  return {
    id,
    months: giftMonths.find((count) => count === months) ?? 1,
    amount_cents,
    currency,
    recipient_email,
    message,
    send_at,
    state,
    code: isOpen && row.code_sealed !== null ? secretBox.open(row.code_sealed) : null,
    created_at: row.created_at,
  }
}

export function getGiftState(
  row: Pick<GiftRow, 'refunded_at' | 'redeemed_at' | 'sent_at' | 'recipient_email'>,
): Gift['state'] {
  if (row.refunded_at !== null) return 'refunded'
  if (row.redeemed_at !== null) return 'redeemed'
  if (row.sent_at !== null) return 'sent'
  return row.recipient_email === null ? 'open' : 'scheduled'
}
