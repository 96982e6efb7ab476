// Routes for promotion codes, for members and admins.
import * as adminPromotionsContract from '#contract/admin/money/admin-promotions.ts'
import * as promotionsContract from '#contract/promotions.ts'
import type { Route } from '../../../platform/http/route.ts'
import {
  checkPromotionCode,
  createPromotionCode,
  deactivatePromotionCode,
  listPromotionCodes,
  type PromotionServices,
} from './promotion-operations.ts'

export function promotionRoutes(route: Route, services: PromotionServices): void {
  route(promotionsContract.checkPromotionCode, (ctx, input) =>
    checkPromotionCode(services, ctx, input),
  )
  route(adminPromotionsContract.listPromotionCodes, (ctx) => listPromotionCodes(services, ctx))
  route(adminPromotionsContract.createPromotionCode, (ctx, input) =>
    createPromotionCode(services, ctx, input),
  )
  route(adminPromotionsContract.deactivatePromotionCode, (ctx, input) =>
    deactivatePromotionCode(services, ctx, input),
  )
}
