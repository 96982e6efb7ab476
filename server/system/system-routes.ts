// The System page of admins.
import {
  discardFailedJob,
  getDiskSpace,
  getSystem,
  retryFailedJob,
  retryFailedJobs,
} from '#contract/admin-system.ts'
import type { Route } from '../http/route.ts'
import {
  discardAsAdmin,
  findFullestDisk,
  readSystem,
  retryAsAdmin,
  type SystemServices,
} from './system-operations.ts'

export function systemRoutes(route: Route, services: SystemServices): void {
  route(getSystem, () => readSystem(services))
  route(getDiskSpace, () => findFullestDisk(services))
  route(retryFailedJobs, async (ctx) => ({ count: await retryAsAdmin(ctx, services.jobs, null) }))
  route(retryFailedJob, async (ctx, { params }) => {
    await retryAsAdmin(ctx, services.jobs, params.id)
  })
  route(discardFailedJob, (ctx, { params }) => discardAsAdmin(ctx, params.id))
}
