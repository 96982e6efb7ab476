import * as contract from '#contract/admin/webhooks.ts'
import type { Route } from '../../platform/http/route.ts'
import {
  getWebhookDelivery,
  listWebhookDeliveries,
  resendWebhookDelivery,
} from './delivery-operations.ts'
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  listWebhookEndpoints,
  rotateWebhookSecret,
  sendWebhookTest,
  updateWebhookEndpoint,
  type WebhookServices,
} from './endpoint-operations.ts'

export function webhookRoutes(route: Route, services: WebhookServices): void {
  route(contract.listWebhookEndpoints, listWebhookEndpoints)
  route(contract.createWebhookEndpoint, (ctx, input) => createWebhookEndpoint(services, ctx, input))
  route(contract.updateWebhookEndpoint, (ctx, input) => updateWebhookEndpoint(services, ctx, input))
  route(contract.deleteWebhookEndpoint, deleteWebhookEndpoint)
  route(contract.rotateWebhookSecret, (ctx, input) => rotateWebhookSecret(services, ctx, input))
  route(contract.sendWebhookTest, (ctx, input) => sendWebhookTest(services, ctx, input))
  route(contract.listWebhookDeliveries, listWebhookDeliveries)
  route(contract.getWebhookDelivery, (ctx, input) => getWebhookDelivery(services, ctx, input))
  route(contract.resendWebhookDelivery, (ctx, input) => resendWebhookDelivery(services, ctx, input))
}
