// Starts and stops the server process, and writes its messages to the terminal.
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { createApp, createWorkerApp } from './app.ts'
import { readBuildVersion } from './platform/config/build-version.ts'
import { ensureFirstAdmin } from './features/auth/first-admin.ts'
import { refuseUnfinishedRestore } from './features/backup/unfinished-restore.ts'
import {
  findPublicSetting,
  readConfig,
  refusePublicDemo,
  type Config,
} from './platform/config/config.ts'
import { ConfigError } from './platform/config/read-setting.ts'
import { writeAddress } from './platform/embedded-postgres/data-folder-lock.ts'
import { removeDemoActivity } from './features/demo/demo-activity.ts'
import { startDemo } from './features/demo/demo-catalogue.ts'
import { findOpenDemoAccounts } from './features/demo/demo-passwords.ts'
import { createServerLog, logCrashes } from './platform/start/server-log.ts'
import { checkPort } from './platform/start/start-checks.ts'
import { describeStart } from './platform/start/start-message.ts'
import { explainStartError } from './platform/start/start-error.ts'
import { startServices, type RunningServices, type Services } from './services.ts'
import { allowUploads } from './platform/storage/open-storage.ts'
import { listenForStopSignals, StopRequest } from './platform/process/stop-signals.ts'
import { startWorker } from './worker.ts'

const requestsGraceMs = 5_000
/**
 * Size of the queue of connections that are not accepted yet. With Node's default of 511, further connections would
 * be refused if many clients connect within a second.
 */
const connectionBacklog = 4096

/** The settings, for error messages. Null until they are read. */
let settings: Config | null = null

async function main(): Promise<void> {
  const stopSignal = listenForStopSignals()
  const config = readConfig(process.env)
  settings = config
  refusePublicDemo(config)
  await refuseUnfinishedRestore(config.dataDir)
  await checkPort(config)
  const startedAt = performance.now()
  const say = process.stdout.isTTY
    ? (line: string) => process.stdout.write(`  ${line}\n`)
    : () => {}
  const log = createServerLog(config.logLevel ?? (process.stdout.isTTY ? 'warn' : 'info'), {
    forPerson: process.stdout.isTTY,
  })
  logCrashes(log)
  log.info(readBuildVersion(config), 'Velour is starting')
  const running = await startServices(config, log, { progress: say, stopSignal })
  const stop = await serve(config, log, running, { startedAt, stopSignal }).catch(
    async (error: unknown) => {
      await running.close()
      throw error
    },
  )
  if (!stopSignal.aborted) await once(stopSignal, 'abort')
  try {
    await stop()
  } catch (error) {
    log.fatal({ err: error }, 'stopping failed')
    process.exit(1)
  }
  process.exit(0)
}

/** Starts the service. Resolves when it accepts requests, with the function that shuts it down. */
async function serve(
  config: Config,
  log: Logger,
  running: RunningServices,
  { startedAt, stopSignal }: { startedAt: number; stopSignal: AbortSignal },
): Promise<() => Promise<void>> {
  const { services } = running
  const demo = config.role === 'worker' ? null : await prepare(services, config)
  if (config.role !== 'worker') await allowUploads(config, log)
  stopSignal.throwIfAborted()
  const app = await createHttpApp(services, log)
  const worker = config.role === 'web' ? null : await startWorker(services)
  await app.listen({ host: config.host, port: config.port, backlog: connectionBacklog })
  if (config.databaseUrl === null) writeAddress(config.dataDir, config.publicUrl)
  const { level, folder } = await services.disk.read()
  const message = describeStart(config, {
    elapsedMs: performance.now() - startedAt,
    isDemo: demo !== null,
    fullFolder: level === 'full' ? join(config.dataDir, folder) : null,
    setupLink: (await services.hasOwner()) ? null : services.setupCode.link,
  })
  process.stdout.write(message)
  demo?.run()

  return async () => {
    log.info({ signal: (stopSignal.reason as StopRequest).signal }, 'stopping')
    running.beginShutdown()
    // Requests may finish within this time. Then the remaining streams are closed, and their players reconnect.
    const cut = setTimeout(() => app.server.closeAllConnections(), requestsGraceMs)
    // The demo's composer is a process that got the same signal as this one.
    await Promise.all([app.close().finally(() => clearTimeout(cut)), demo?.stop()])
    await worker?.stop()
    await running.close()
    log.info('stopped')
  }
}

/** Creates what must exist before the first request. */
async function prepare(services: Services, config: Config) {
  await ensureFirstAdmin(services, config)
  await refuseOpenDemo(services, config)
  const isDemo = config.demo && !services.settings.isDemoLeft()
  if (config.demo && !isDemo)
    services.log.info('the demo was closed permanently: DEMO has no effect')
  const demo = isDemo ? await startDemo(services, printDemoProgress) : null
  if (demo) services.demoProgress = demo.progress
  else await removeDemoActivity(services.db)
  return demo
}

function createHttpApp(services: Services, log: Logger) {
  if (services.config.role === 'worker') return createWorkerApp(services, { log })
  const webFolder = join(import.meta.dirname, '..', 'dist')
  // In development, Vite serves the web app instead.
  return createApp(services, { log, webFolder: existsSync(webFolder) ? webFolder : null })
}

/**
 * Refuses to start a public service while demo accounts have their public password. `DEMO=off` alone does not remove
 * these accounts.
 */
async function refuseOpenDemo({ db }: Services, config: Config): Promise<void> {
  const setting = findPublicSetting(config)
  if (setting === null) return
  const open = await findOpenDemoAccounts(db)
  if (open.length === 0) return
  const emails = open.map(({ email }) => email).join(', ')
  throw new ConfigError(
    `${setting} makes this service public, but these accounts still have the demo's public password: ${emails}. ` +
      'Run "npm run close-demo" to replace that password; it lists the admins who can still sign in.',
  )
}

/** Prints the progress for the first song and for every fifth one. */
function printDemoProgress(ready: number, total: number): void {
  if (ready !== 1 && ready % 5 !== 0) return
  const more = ready < total ? '; the rest is being composed' : ''
  process.stdout.write(`  Demo music: ${ready} of ${total} songs can be played${more}\n`)
}

main().catch((error: unknown) => {
  if (error instanceof StopRequest) process.exit(0)
  const message = explainStartError(error, settings)
  process.stderr.write(
    `\n  ${message ?? `Velour could not start. "npm run doctor" checks everything around it.\n\n${(error as Error).stack}`}\n\n`,
  )
  process.exit(1)
})
