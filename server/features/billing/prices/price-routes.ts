// Admin routes for the prices of Premium.
import * as contract from '#contract/admin/money/admin-prices.ts'
import type { Route } from '../../../platform/http/route.ts'
import {
  callOffPriceChange,
  getPrices,
  setPrices,
  tryCheckout,
  type PriceRouteServices,
} from './price-operations.ts'

export function priceRoutes(route: Route, services: PriceRouteServices): void {
  route(contract.getPrices, (ctx) => getPrices(services, ctx))
  route(contract.setPrices, (ctx, input) => setPrices(services, ctx, input))
  route(contract.callOffPriceChange, (ctx, input) => callOffPriceChange(services, ctx, input))
  route(contract.tryCheckout, (ctx) => tryCheckout(services, ctx))
}
