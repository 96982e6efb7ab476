// Buying and redeeming gifts.
import * as giftsContract from '#contract/gifts.ts'
import type { Route } from '../../../platform/http/route.ts'
import { buyGift, listGifts, type GiftServices } from './gift-operations.ts'
import { redeemGift } from './redeem-gift.ts'

export function giftRoutes(route: Route, services: GiftServices): void {
  route(giftsContract.listGifts, (ctx) => listGifts(services, ctx))
  route(giftsContract.buyGift, (ctx, input) => buyGift(services, ctx, input))
  route(giftsContract.redeemGift, (ctx, input) => redeemGift(ctx, input))
}
