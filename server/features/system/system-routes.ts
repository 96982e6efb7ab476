// Routes of the System page.
import {
  discardFailedJob,
  downloadBackup,
  getDiskSpace,
  getSystem,
  listBackups,
  repairFiles,
  retryFailedJob,
  retryFailedJobs,
  startBackup,
} from '#contract/admin/admin-system.ts'
import { startBackupAsAdmin } from '../backup/backup-status.ts'
import { sendBackup } from '../backup/download-backup.ts'
import { listStoredBackups } from '../backup/stored-backups.ts'
import type { Route } from '../../platform/http/route.ts'
import { listAlerts } from './alerts.ts'
import {
  discardAsAdmin,
  findFullestDisk,
  readSystem,
  repairAsAdmin,
  retryAsAdmin,
  type SystemServices,
} from './system-operations.ts'

export function systemRoutes(route: Route, services: SystemServices): void {
  route(getSystem, async () => ({
    alerts: await listAlerts(services.db),
    ...(await readSystem(services)),
  }))
  route(getDiskSpace, () => findFullestDisk(services))
  route(repairFiles, (ctx) => repairAsAdmin(ctx, services.jobs))
  route(listBackups, () => listStoredBackups(services))
  route.raw(downloadBackup, (ctx, input, _request, reply) =>
    sendBackup(ctx, input, reply, services),
  )
  route(startBackup, (ctx) => startBackupAsAdmin(ctx, services))
  route(retryFailedJobs, async (ctx) => ({ count: await retryAsAdmin(ctx, services.jobs, null) }))
  route(retryFailedJob, async (ctx, { params }) => {
    await retryAsAdmin(ctx, services.jobs, params.id)
  })
  route(discardFailedJob, (ctx, { params }) => discardAsAdmin(ctx, params.id))
}
