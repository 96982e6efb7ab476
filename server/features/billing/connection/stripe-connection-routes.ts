// Admin routes for the Stripe connection.
import * as contract from '#contract/admin/money/admin-stripe.ts'
import type { Route } from '../../../platform/http/route.ts'
import {
  checkStripeKey,
  connectStripeWebhook,
  getStripeConnection,
  removeStripeKey,
  setStripeKey,
  type ConnectionServices,
} from './stripe-connection-operations.ts'

export function stripeConnectionRoutes(route: Route, services: ConnectionServices): void {
  route(contract.getStripeConnection, (ctx) => getStripeConnection(services, ctx))
  route(contract.checkStripeKey, (ctx, input) => checkStripeKey(services, ctx, input))
  route(contract.setStripeKey, (ctx, input) => setStripeKey(services, ctx, input))
  route(contract.removeStripeKey, (ctx) => removeStripeKey(services, ctx))
  route(contract.connectStripeWebhook, (ctx) => connectStripeWebhook(services, ctx))
}
