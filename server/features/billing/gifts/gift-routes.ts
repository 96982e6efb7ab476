// Routes for buying, redeeming and managing gifts.
import * as adminGiftsContract from '#contract/admin/money/admin-gifts.ts'
import * as giftsContract from '#contract/gifts.ts'
import type { Route } from '../../../platform/http/route.ts'
import { createBillingMailer, type BillingMailServices } from '../notices/billing-mailer.ts'
import { listSoldGifts, resendGift } from './admin-gifts.ts'
import { buyGift, listGifts, type GiftServices } from './gift-operations.ts'
import { redeemGift } from './redeem-gift.ts'

export function giftRoutes(route: Route, services: GiftServices & BillingMailServices): void {
  route(giftsContract.listGifts, (ctx) => listGifts(services, ctx))
  route(giftsContract.buyGift, (ctx, input) => buyGift(services, ctx, input))
  route(giftsContract.redeemGift, (ctx, input) => redeemGift(ctx, input))
  const all = { ...services, sendMail: createBillingMailer(services) }
  route(adminGiftsContract.listSoldGifts, (ctx, input) => listSoldGifts(ctx, input))
  route(adminGiftsContract.resendGift, (ctx, input) => resendGift(all, ctx, input))
}
