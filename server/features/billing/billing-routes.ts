// Routes for members who buy Premium, and for admins who manage subscriptions.
import * as adminBillingContract from '#contract/admin/admin-billing.ts'
import * as billingContract from '#contract/billing.ts'
import type { Route } from '../../platform/http/route.ts'
import { createBillingMailer, type BillingMailServices } from './notices/billing-mailer.ts'
import { runBillingAction } from './billing-operations.ts'
import {
  startCheckout,
  listPlans,
  openCustomerPortal,
  openBillingPortal,
} from './stripe-checkout.ts'
import type { StripeAccess } from './stripe-client.ts'

export interface BillingRouteServices extends BillingMailServices {
  stripe: StripeAccess
}

export function billingRoutes(route: Route, services: BillingRouteServices): void {
  route(billingContract.listPlans, (ctx) => listPlans(services, ctx))
  route(billingContract.startCheckout, (ctx, input) => startCheckout(services, ctx, input))
  route(billingContract.openBillingPortal, (ctx) => openBillingPortal(services, ctx))
  const acts = {
    stripe: services.stripe,
    branding: services.branding,
    sendMail: createBillingMailer(services),
    openCustomerPortal: (id: string) => openCustomerPortal(services, id),
  }
  route(adminBillingContract.runBillingAction, (ctx, input) => runBillingAction(acts, ctx, input))
}
