// Admin routes for refunding payments and ending subscriptions.
import * as adminRefundsContract from '#contract/admin/money/admin-refunds.ts'
import type { Route } from '../../../platform/http/route.ts'
import type { MembershipServices } from '../membership/own-subscription.ts'
import { createBillingMailer, type BillingMailServices } from '../notices/billing-mailer.ts'
import { endPersonSubscription } from './end-subscription.ts'
import { listRefunds, refundPayment } from './refund-operations.ts'

export function refundRoutes(
  route: Route,
  services: Omit<MembershipServices, 'sendMail'> & BillingMailServices,
): void {
  const all = { ...services, sendMail: createBillingMailer(services) }
  route(adminRefundsContract.refundPayment, (ctx, input) => refundPayment(services, ctx, input))
  route(adminRefundsContract.listRefunds, (ctx) => listRefunds(ctx))
  route(adminRefundsContract.endPersonSubscription, (ctx, input) =>
    endPersonSubscription(all, ctx, input),
  )
}
