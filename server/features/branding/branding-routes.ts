// Admin operations on how the service presents itself.
import * as contract from '#contract/admin/admin-branding.ts'
import type { Route } from '../../platform/http/route.ts'
import { getBranding, updateBranding, type BrandingServices } from './branding-operations.ts'

export function brandingRoutes(route: Route, services: BrandingServices): void {
  route(contract.getBranding, (ctx) => getBranding(services, ctx))
  route(contract.updateBranding, (ctx, input) => updateBranding(services, ctx, input))
}
