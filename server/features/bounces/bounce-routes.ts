// Admin routes for the bounce mailbox.
import * as contract from '#contract/admin/service/admin-bounces.ts'
import type { Route } from '../../platform/http/route.ts'
import {
  getBounceSettings,
  getBounceState,
  testBounceMailbox,
  updateBounceSettings,
  type BounceSettingsServices,
} from './bounce-settings-operations.ts'

export function bounceRoutes(route: Route, services: BounceSettingsServices): void {
  route(contract.getBounceSettings, (ctx) => getBounceSettings(services, ctx))
  route(contract.updateBounceSettings, (ctx, input) => updateBounceSettings(services, ctx, input))
  route(contract.getBounceState, getBounceState)
  route(contract.testBounceMailbox, (ctx) => testBounceMailbox(services, ctx))
}
