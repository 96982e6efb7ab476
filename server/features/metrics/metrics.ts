// Metrics for Prometheus. Counters are kept in memory; other values are read at each scrape.
import type { FastifyInstance } from 'fastify'
import type { BackupStatus } from '#contract/admin/admin-system.ts'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { fileProblems } from '#contract/fields/stored-files.ts'
import { readFileCheckStatus } from '../file-checks/damaged-files.ts'
import { readBackupStatus } from '../backup/backup-status.ts'
import type { PlatformServices } from '../../platform/start/platform-services.ts'
import { countWebhookDeliveries } from '../webhooks/delivery-operations.ts'
import { alertConditions } from '../system/alert-conditions.ts'
import { listAlerts } from '../system/alerts.ts'
import { findLastBackup, isStorageReachable } from '../system/system-operations.ts'
import type { DiskSpace } from '../../platform/storage/disk-space.ts'

export interface Metrics {
  /** The response to one scrape, in Prometheus's exposition format. */
  read: () => Promise<string>
  contentType: string
}

type MeasuredServices = Pick<
  PlatformServices,
  'db' | 'build' | 'bus' | 'config' | 'now' | 'disk' | 'files' | 'jobs' | 'log' | 'storage'
>

/** Histogram buckets in seconds, from a cached range request to a slow report. */
const durationBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Adds the metrics to the server. Call this before the routes are registered. */
export function createMetrics(app: FastifyInstance, services: MeasuredServices): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  measureRequests(app, registry)
  const failures = measureServices(registry, services)
  measureWebhooks(registry, services, failures)
  measureSafety(registry, services)
  measureFiles(registry, services)
  measureBackups(registry, services)
  measureAlerts(registry, services)
  return { read: () => registry.metrics(), contentType: registry.contentType }
}

/**
 * Measures requests by route, not by URL, because one time series per track would use too much memory in Prometheus.
 */
function measureRequests(app: FastifyInstance, registry: Registry): void {
  const durations = new Histogram({
    name: 'velour_http_request_duration_seconds',
    help: 'Time from a request to the end of its response. Streams count until they are fully read or aborted.',
    labelNames: ['method', 'route', 'status'],
    buckets: durationBuckets,
    registers: [registry],
  })
  app.addHook('onResponse', (request, reply, done) => {
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: String(reply.statusCode),
    }
    durations.observe(labels, reply.elapsedTime / 1000)
    done()
  })
}

function measureServices(
  registry: Registry,
  { db, bus, disk, files, jobs, log }: MeasuredServices,
): Counter {
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value())
      },
    })
  gauge('velour_streams_active', 'Responses that are currently sending audio or pictures.', () => {
    return files.stats().activeResponses
  })
  gauge(
    'velour_stream_files_open',
    'Stored files that are currently open.',
    () => files.stats().openFiles,
  )
  gauge('velour_database_connections', 'Open connections in the pool.', () => db.pool.totalCount)
  gauge(
    'velour_database_waiting',
    'Queries that wait for a connection.',
    () => db.pool.waitingCount,
  )
  gauge(
    'velour_events_connected',
    '1 while notifications from other instances are received.',
    () => {
      return bus.isConnected() ? 1 : 0
    },
  )
  const failures = new Counter({
    name: 'velour_scrape_failures_total',
    help: 'Failed attempts to read a value from the database or the disk.',
    registers: [registry],
  })
  const diskGauge = (name: string, help: string, field: keyof DiskSpace) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        try {
          this.set((await disk.read())[field])
        } catch (error) {
          failures.inc()
          log.warn({ err: error }, 'the disk could not be measured')
        }
      },
    })
  diskGauge('velour_disk_free_bytes', 'Free space on the fullest disk in use.', 'free_bytes')
  diskGauge(
    'velour_disk_size_bytes',
    'Size of that disk, without the space reserved by the system.',
    'total_bytes',
  )
  new Gauge({
    name: 'velour_jobs',
    help: 'Jobs in the queue.',
    labelNames: ['job', 'state'],
    registers: [registry],
    async collect() {
      this.reset()
      try {
        for (const { job, state, count } of await jobs.count()) this.set({ job, state }, count)
      } catch (error) {
        failures.inc()
        log.warn({ err: error }, 'jobs could not be counted')
      }
    },
  })
  return failures
}

function measureWebhooks(
  registry: Registry,
  { db, log }: MeasuredServices,
  failures: Counter,
): void {
  new Gauge({
    name: 'velour_webhook_deliveries',
    help: 'Webhook deliveries in the log.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      this.reset()
      try {
        const counts = await countWebhookDeliveries(db)
        for (const { state, count } of counts) this.set({ state }, count)
      } catch (error) {
        failures.inc()
        log.warn({ err: error }, 'webhooks could not be counted')
      }
    },
  })
}

/** Metrics for alerts: disks, storage, the last backup and the version. */
function measureSafety(
  registry: Registry,
  { db, build, disk, log, storage }: MeasuredServices,
): void {
  const registers = [registry]
  new Gauge({
    name: 'velour_build_info',
    help: 'Always 1; its labels are the version and the commit.',
    labelNames: ['version', 'commit'],
    registers,
  }).set({ version: build.version, commit: build.commit ?? 'unknown' }, 1)
  new Gauge({
    name: 'velour_storage_reachable',
    help: '1 while the storage of audio and pictures is reachable and belongs to this installation.',
    registers,
    async collect() {
      this.set((await isStorageReachable(storage, log)) ? 1 : 0)
    },
  })
  // Each gauge reads its values itself. If one gauge set the values of another, those could be of the previous scrape.
  const readSpaces = () =>
    disk.readAll().catch((error: unknown) => {
      log.warn({ err: error }, 'the disks could not be measured')
      return []
    })
  const folderGauge = (name: string, help: string, field: keyof DiskSpace) =>
    new Gauge({
      name,
      help,
      labelNames: ['folder'],
      registers,
      async collect() {
        for (const space of await readSpaces()) {
          this.set({ folder: space.folder || '.' }, space[field])
        }
      },
    })
  folderGauge('velour_folder_size_bytes', 'Size of the disk of each folder in use.', 'total_bytes')
  folderGauge(
    'velour_folder_free_bytes',
    'Free space on the disk of each folder in use.',
    'free_bytes',
  )
  const readBackup = () =>
    findLastBackup(db).catch((error: unknown) => {
      log.warn({ err: error }, 'the last backup could not be looked up')
      return null
    })
  new Gauge({
    name: 'velour_last_backup_missing_files',
    help: 'Files that were missing from the storage when the last backup was created.',
    registers,
    async collect() {
      this.set((await readBackup())?.missing_count ?? 0)
    },
  })
  new Gauge({
    name: 'velour_last_backup_timestamp_seconds',
    help: 'When the last backup was created; 0 if there is none.',
    registers,
    async collect() {
      const backup = await readBackup()
      this.set(backup ? Date.parse(backup.created_at) / 1000 : 0)
    },
  })
}

/** Metrics of the file checks' results. */
function measureFiles(registry: Registry, { db, log }: MeasuredServices): void {
  const read = () =>
    readFileCheckStatus(db).catch((error: unknown) => {
      log.warn({ err: error }, 'the checks of files could not be looked up')
      return null
    })
  const registers = [registry]
  new Gauge({
    name: 'velour_damaged_files',
    help: 'Stored files that are missing or damaged.',
    labelNames: ['problem'],
    registers,
    async collect() {
      const damaged = (await read())?.damaged
      for (const problem of fileProblems) this.set({ problem }, damaged?.[problem] ?? 0)
    },
  })
  new Gauge({
    name: 'velour_last_file_check_timestamp_seconds',
    help: 'When the last completed check of all stored files started; 0 if there was none.',
    registers,
    async collect() {
      const last = (await read())?.last_check
      this.set(last?.finished_at ? Date.parse(last.started_at) / 1000 : 0)
    },
  })
  new Gauge({
    name: 'velour_orphan_files',
    help: 'Stored objects that no row referred to at the last check.',
    registers,
    async collect() {
      this.set((await read())?.last_check?.orphan_count ?? 0)
    },
  })
}

/** Metrics of the backup status: the same values as on the System page. Every instance returns them. */
function measureBackups(registry: Registry, services: MeasuredServices): void {
  let reading: Promise<BackupStatus | null> | null = null
  // Prometheus's client library collects the gauges of one scrape concurrently, so they share one read.
  const read = () =>
    (reading ??= readBackupStatus(services)
      .catch((error: unknown) => {
        services.log.warn({ err: error }, 'the backups could not be looked up')
        return null
      })
      .finally(() => (reading = null)))
  const gauge = (name: string, help: string, value: (status: BackupStatus) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const status = await read()
        if (status) this.set(value(status))
      },
    })
  const ageMs = ({ last_good_at }: BackupStatus) =>
    last_good_at ? services.now().getTime() - Date.parse(last_good_at) : Infinity
  gauge(
    'velour_backup_age_seconds',
    'Age of the newest complete backup; +Inf if there is none.',
    (status) => ageMs(status) / 1000,
  )
  gauge(
    'velour_backup_last_result',
    '1 if the last scheduled backup is complete; 0 if it failed or lacks files; NaN if there was none.',
    ({ last_run }) => (last_run ? Number(last_run.result === 'complete') : NaN),
  )
  gauge(
    'velour_backup_overdue',
    '1 while the newest complete backup is older than two intervals of the schedule, or than a week if there is no schedule.',
    ({ is_overdue }) => Number(is_overdue),
  )
  gauge(
    'velour_backup_running_seconds',
    'How long the current backup has been running; 0 if there is none.',
    ({ running }) =>
      running ? Math.max(0, services.now().getTime() - Date.parse(running.started_at)) / 1000 : 0,
  )
}

/** Metrics of the alerts: the same conditions as on the System page under "Needs attention". */
function measureAlerts(registry: Registry, { db, log }: MeasuredServices): void {
  new Gauge({
    name: 'velour_alerts',
    help: '1 for each condition that needs attention.',
    // The label is not `alertname`, which Prometheus uses for its own alerts.
    labelNames: ['condition'],
    registers: [registry],
    async collect() {
      try {
        const active = new Set((await listAlerts(db)).map(({ name }) => name))
        for (const { name } of alertConditions) {
          this.set({ condition: name }, Number(active.has(name)))
        }
      } catch (error) {
        log.warn({ err: error }, 'the alerts could not be looked up')
      }
    },
  })
}
