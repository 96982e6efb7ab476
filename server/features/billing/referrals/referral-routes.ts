// Routes for referral links.
import * as adminReferralsContract from '#contract/admin/money/admin-referrals.ts'
import * as referralsContract from '#contract/referrals.ts'
import type { Route } from '../../../platform/http/route.ts'
import { listReferrals, voidReferral } from './admin-referrals.ts'
import {
  createReferralLink,
  getOwnReferrals,
  getReferralOffer,
  type ReferralServices,
} from './referral-operations.ts'

export function referralRoutes(route: Route, services: ReferralServices): void {
  route(referralsContract.getOwnReferrals, (ctx) => getOwnReferrals(services, ctx))
  route(referralsContract.createReferralLink, (ctx) => createReferralLink(services, ctx))
  route(referralsContract.getReferralOffer, (ctx, input) => getReferralOffer(ctx, input))
  route(adminReferralsContract.listReferrals, (ctx, input) => listReferrals(ctx, input))
  route(adminReferralsContract.voidReferral, (ctx, input) => voidReferral(ctx, input))
}
