// Promotion codes. Stripe stores them and counts their uses; nothing is stored here.
import type { Stripe } from 'stripe'
import type * as adminContract from '#contract/admin/money/admin-promotions.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type * as contract from '#contract/promotions.ts'
import { writeAudit } from '../../../platform/audit/write-audit.ts'
import { transaction } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import type { MemberContext } from '../../../platform/operations/context.ts'
import type { SecretBox } from '../../../platform/security/secret-box.ts'
import {
  findPromotion,
  presentPromotion,
  readPlanProducts,
  promotionExpand,
} from '../find-promotion.ts'
import { callStripe, nullIfMissing, type StripeAccess } from '../stripe-client.ts'
import { readStripeSettings } from '../stripe-settings.ts'

export interface PromotionServices {
  stripe: StripeAccess
  secretBox: SecretBox
}

const shownCodes = 100

export async function checkPromotionCode(
  services: PromotionServices,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.checkPromotionCode>,
): Promise<Output<typeof contract.checkPromotionCode>> {
  const settings = await readStripeSettings(ctx.db, services.secretBox)
  const { id: _, ...found } = await findPromotion(services.stripe, ctx, settings, body.code)
  return found
}

export async function listPromotionCodes(
  services: PromotionServices,
  ctx: MemberContext,
): Promise<Output<typeof adminContract.listPromotionCodes>> {
  if (!services.stripe.isSetUp()) return { data: [], has_more: false, is_configured: false }
  const { prices } = await readStripeSettings(ctx.db, services.secretBox)
  return callStripe(services.stripe, async (client) => {
    const [codes, products] = await Promise.all([
      client.promotionCodes.list({
        limit: shownCodes,
        expand: promotionExpand.map((field) => `data.${field}`),
      }),
      readPlanProducts(client, prices),
    ])
    return {
      data: codes.data.map((code) => presentForAdmin(code, products)),
      has_more: codes.has_more,
      is_configured: true,
    }
  })
}

/**
 * Creates a coupon and its promotion code at Stripe. Throws `promotion_code_taken`, `plans_share_product`,
 * `invalid_period` and `stripe_failed`.
 */
export async function createPromotionCode(
  services: PromotionServices,
  ctx: MemberContext,
  { body }: ParsedInput<typeof adminContract.createPromotionCode>,
): Promise<Output<typeof adminContract.createPromotionCode>> {
  const expires_at = toUnixSeconds(body.expires_at)
  if (expires_at !== null && expires_at * 1000 <= ctx.now().getTime()) {
    throw new AppError('invalid_period')
  }
  const { prices, currency } = await readStripeSettings(ctx.db, services.secretBox)
  const made = await callStripe(services.stripe, async (client) => {
    const products = await readPlanProducts(client, prices)
    if (body.plan !== null && products.monthly === products.yearly) {
      throw new AppError('plans_share_product')
    }
    const taken = await client.promotionCodes.list({ code: body.code, active: true, limit: 1 })
    if (taken.data.length > 0) throw new AppError('promotion_code_taken')
    const product = body.plan && products[body.plan]
    const coupon = await client.coupons.create(toCouponParams(body, product, currency))
    try {
      const code = await client.promotionCodes.create({
        promotion: { type: 'coupon', coupon: coupon.id },
        code: body.code,
        ...(body.max_uses !== null && { max_redemptions: body.max_uses }),
        ...(expires_at !== null && { expires_at }),
        restrictions: { first_time_transaction: body.is_first_time_only },
        expand: [...promotionExpand],
      })
      return presentForAdmin(code, products)
    } catch (error) {
      // Stripe rejected the code, and a coupon without a code is useless, so delete the coupon.
      await client.coupons.del(coupon.id)
      throw error
    }
  })
  await transaction(ctx.db, (trx) =>
    writeAudit(ctx, trx, {
      action: 'create',
      entity: 'promotion_code',
      entity_id: made.id,
      after: made,
    }),
  )
  return made
}

export async function deactivatePromotionCode(
  services: PromotionServices,
  ctx: MemberContext,
  { params }: ParsedInput<typeof adminContract.deactivatePromotionCode>,
): Promise<Output<typeof adminContract.deactivatePromotionCode>> {
  const { prices } = await readStripeSettings(ctx.db, services.secretBox)
  const after = await callStripe(services.stripe, async (client) => {
    const code = await nullIfMissing(
      client.promotionCodes.update(params.promotion_code_id, {
        active: false,
        expand: [...promotionExpand],
      }),
    )
    if (!code) throw new AppError('promotion_code_not_found')
    return presentForAdmin(code, await readPlanProducts(client, prices))
  })
  await transaction(ctx.db, (trx) =>
    writeAudit(ctx, trx, {
      action: 'update',
      entity: 'promotion_code',
      entity_id: params.promotion_code_id,
      after: { code: after.code, is_active: false },
    }),
  )
  return after
}

function toCouponParams(
  { code, off, duration }: ParsedInput<typeof adminContract.createPromotionCode>['body'],
  product: string | null,
  currency: string,
): Stripe.CouponCreateParams {
  return {
    name: code,
    ...(off.kind === 'percent'
      ? { percent_off: off.percent_off }
      : { amount_off: off.amount_off_cents, currency }),
    duration: duration.kind,
    ...(duration.kind === 'repeating' && { duration_in_months: duration.months }),
    ...(product !== null && { applies_to: { products: [product] } }),
  }
}

/** Converts the last day of a code to the end of that day in Unix seconds. A timestamp is exact. */
function toUnixSeconds(end: string | null): number | null {
  if (end === null) return null
  return Math.floor(Date.parse(end.length === 10 ? `${end}T23:59:59Z` : end) / 1000)
}

function presentForAdmin(
  code: Stripe.PromotionCode,
  products: Awaited<ReturnType<typeof readPlanProducts>>,
): Output<typeof adminContract.createPromotionCode> {
  const { expires_at, restrictions } = code
  return {
    ...presentPromotion(code, products),
    is_active: code.active,
    times_used: code.times_redeemed,
    max_uses: code.max_redemptions,
    expires_at: expires_at === null ? null : new Date(expires_at * 1000).toISOString(),
    is_first_time_only: restrictions.first_time_transaction,
    created_at: new Date(code.created * 1000).toISOString(),
  }
}
