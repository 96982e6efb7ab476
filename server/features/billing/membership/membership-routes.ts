// A member's own subscription, and why members cancel.
import * as adminCancellationsContract from '#contract/admin/money/admin-cancellations.ts'
import * as ownSubscriptionContract from '#contract/own-subscription.ts'
import * as receiptsContract from '#contract/receipts.ts'
import type { Route } from '../../../platform/http/route.ts'
import type { Auth } from '../../auth/auth.ts'
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
  services: Omit<MembershipServices, 'sendMail'> &
    BillingMailServices & { auth: Pick<Auth, 'evict'> },
): void {
  const all = { ...services, sendMail: createBillingMailer(services) }
  route(ownSubscriptionContract.getOwnSubscription, (ctx) => getOwnSubscription(all, ctx))
  route(ownSubscriptionContract.cancelSubscription, async (ctx, input) => {
    const canceled = await cancelSubscription(all, ctx, input)
    // What is not paid ahead has ended: the next request must see it, even if the notification has not arrived yet.
    services.auth.evict(ctx.actor.user_id)
    return canceled
  })
  route(ownSubscriptionContract.resumeSubscription, (ctx) => resumeSubscription(all, ctx))
  route(ownSubscriptionContract.acceptRetentionOffer, (ctx) => acceptRetentionOffer(all, ctx))
  route(receiptsContract.listBills, (ctx) => listBills(all, ctx))
  route(adminCancellationsContract.listCancellations, (ctx) => listCancellations(ctx))
}
