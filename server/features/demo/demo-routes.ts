// The route with which an admin switches the demo off.
import * as contract from '#contract/admin/service/admin-demo.ts'
import type { Route } from '../../platform/http/route.ts'
import { getDemo, leaveDemo, type LeaveDemoServices } from './leave-demo.ts'

export function demoRoutes(route: Route, services: LeaveDemoServices): void {
  route(contract.getDemo, (ctx) => getDemo(services, ctx))
  route(contract.leaveDemo, (ctx, input) => leaveDemo(services, ctx, input))
}
