// Routes for the System page of the back office.
import * as contract from '#contract/admin/admin-system.ts'
import type { SystemStatus } from '#contract/admin/admin-system.ts'
import { startBackup } from '../backup/backup-status.ts'
import { downloadBackup } from '../backup/download-backup.ts'
import { listBackups } from '../backup/stored-backups.ts'
import type { Route } from '../../platform/http/route.ts'
import { listAlerts } from './alerts.ts'
import {
  discardFailedJob,
  getDiskSpace,
  readSystem,
  repairFiles,
  retryFailedJob,
  retryFailedJobs,
  type SystemServices,
} from './system-operations.ts'

export function systemRoutes(route: Route, services: SystemServices): void {
  route(contract.getSystem, () => getSystem(services))
  route(contract.getDiskSpace, () => getDiskSpace(services))
  route(contract.repairFiles, (ctx) => repairFiles(ctx, services.jobs))
  route(contract.listBackups, () => listBackups(services))
  route.raw(contract.downloadBackup, (ctx, input, _request, reply) =>
    downloadBackup(ctx, input, reply, services),
  )
  route(contract.startBackup, (ctx) => startBackup(ctx, services))
  route(contract.retryFailedJobs, (ctx) => retryFailedJobs(ctx, services.jobs))
  route(contract.retryFailedJob, (ctx, { params }) => retryFailedJob(ctx, services.jobs, params.id))
  route(contract.discardFailedJob, (ctx, { params }) => discardFailedJob(ctx, params.id))
}

async function getSystem(services: SystemServices): Promise<SystemStatus> {
  return { alerts: await listAlerts(services.db), ...(await readSystem(services)) }
}
