// Route for setting up a service that has no admin.
import * as contract from '#contract/setup.ts'
import type { Route } from '../../platform/http/route.ts'
import { createFirstAdmin, openSetup, type SetupServices } from './setup-operations.ts'

export function setupRoutes(route: Route, services: SetupServices): void {
  route(contract.openSetup, (ctx, input) => openSetup(services, ctx, input))
  route(contract.createFirstAdmin, (ctx, input) => createFirstAdmin(services, ctx, input))
}
