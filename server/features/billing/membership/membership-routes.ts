// Routes for a member's own subscription and for the list of cancellations.
import * as adminCancellationsContract from '#contract/admin/money/admin-cancellations.ts'
import * as ownSubscriptionContract from '#contract/own-subscription.ts'
import * as receiptsContract from '#contract/receipts.ts'
import type { Route } from '../../../platform/http/route.ts'
import { createBillingMailer, type BillingMailServices } from '../notices/billing-mailer.ts'
import { listBills } from './list-bills.ts'
import { listCancellations } from './list-cancellations.ts'
import {
  acceptRetentionOffer,
  cancelSubscription,
  getOwnSubscription,
  resumeSubscription,
  type MembershipServices,
} from './own-subscription.ts'

export function membershipRoutes(
  route: Route,
  services: Omit<MembershipServices, 'sendMail'> & BillingMailServices,
): void {
  const all = { ...services, sendMail: createBillingMailer(services) }
  route(ownSubscriptionContract.getOwnSubscription, (ctx) => getOwnSubscription(all, ctx))
  route(ownSubscriptionContract.cancelSubscription, (ctx, input) =>
    cancelSubscription(all, ctx, input),
  )
  route(ownSubscriptionContract.resumeSubscription, (ctx) => resumeSubscription(all, ctx))
  route(ownSubscriptionContract.acceptRetentionOffer, (ctx) => acceptRetentionOffer(all, ctx))
  route(receiptsContract.listBills, (ctx) => listBills(all, ctx))
  route(adminCancellationsContract.listCancellations, (ctx) => listCancellations(ctx))
}
