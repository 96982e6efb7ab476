// What the server tells a Prometheus about itself. Counts live in memory; what others own is asked for at each scrape.
import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { Services } from '../services.ts'
import type { DiskSpace } from '../system/disk-space.ts'

export interface Metrics {
  /** The text of one scrape, in Prometheus's exposition format. */
  read: () => Promise<string>
  contentType: string
}

type MeasuredServices = Pick<Services, 'db' | 'bus' | 'disk' | 'files' | 'jobs' | 'log'>

/** From a kept range to a slow report, in seconds. */
const durationBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Call it before the routes are registered. */
export function createMetrics(app: FastifyInstance, services: MeasuredServices): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  measureRequests(app, registry)
  measureServices(registry, services)
  return { read: () => registry.metrics(), contentType: registry.contentType }
}

/** By route, never by address: a label for every track would fill the memory of whoever collects. */
function measureRequests(app: FastifyInstance, registry: Registry): void {
  const durations = new Histogram({
    name: 'velour_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer; streams last as long as they are read.',
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
) {
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value())
      },
    })
  gauge('velour_streams_active', 'Answers that are sending audio or pictures now.', () => {
    return files.stats().activeAnswers
  })
  gauge(
    'velour_stream_files_open',
    'Stored files that are held open.',
    () => files.stats().openFiles,
  )
  gauge('velour_stream_kept_bytes', 'Audio kept in memory because many listen to it.', () => {
    return files.stats().keptBytes
  })
  gauge('velour_database_connections', 'Open connections of the pool.', () => db.pool.totalCount)
  gauge(
    'velour_database_waiting',
    'Queries that wait for a connection.',
    () => db.pool.waitingCount,
  )
  gauge('velour_events_connected', '1 while changes of other instances are heard of.', () => {
    return bus.isConnected() ? 1 : 0
  })
  const failures = new Counter({
    name: 'velour_scrape_failures_total',
    help: 'Scrapes in which the database or the disk could not be asked.',
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
  diskGauge('velour_disk_free_bytes', 'Free room where the data folder is.', 'free_bytes')
  diskGauge(
    'velour_disk_size_bytes',
    'Room there in all, without what the system keeps for itself.',
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
}
