// Start and stop of the server process, and what it says at the terminal.
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { demoAccounts, demoPassword } from '#contract/demo.ts'
import { createApp, createWorkerApp } from './app.ts'
import { ensureFirstAdmin } from './auth/first-admin.ts'
import { ConfigError, isLoopback, readConfig, type Config } from './config.ts'
import { DatabaseStartError } from './db/database-start-error.ts'
import { startDemo } from './demo/demo-catalogue.ts'
import { findOpenDemoAccounts } from './demo/demo-passwords.ts'
import { createServerLog, logCrashes } from './server-log.ts'
import { startServices, type RunningServices, type Services } from './services.ts'
import { allowUploads } from './storage/open-storage.ts'
import { hearStopSignals, StopWish } from './stop-signals.ts'
import { StorageError } from './storage/storage.ts'
import { startWorker } from './worker.ts'

const requestsGraceMs = 5_000
/** A crowd that comes within a second waits its turn; of Node's 511 the rest would be refused. */
const connectionBacklog = 4096

async function main(): Promise<void> {
  const stopWish = hearStopSignals()
  const config = readConfig(process.env)
  const startedAt = performance.now()
  const say = process.stdout.isTTY
    ? (line: string) => process.stdout.write(`  ${line}\n`)
    : () => {}
  const log = createServerLog(config.logLevel ?? (process.stdout.isTTY ? 'warn' : 'info'))
  logCrashes(log)
  const running = await startServices(config, log, { progress: say, stopWish })
  const stop = await serve(config, log, running, { startedAt, stopWish }).catch(
    async (error: unknown) => {
      await running.close()
      throw error
    },
  )
  if (!stopWish.aborted) await once(stopWish, 'abort')
  try {
    await stop()
  } catch (error) {
    log.fatal({ err: error }, 'stopping failed')
    process.exit(1)
  }
  process.exit(0)
}

/** Resolves when people are let in, to how it ends in order. */
async function serve(
  config: Config,
  log: Logger,
  running: RunningServices,
  { startedAt, stopWish }: { startedAt: number; stopWish: AbortSignal },
): Promise<() => Promise<void>> {
  const { services } = running
  const demo = config.role === 'worker' ? null : await prepare(services, config)
  if (config.role !== 'worker') await allowUploads(config, log)
  stopWish.throwIfAborted()
  const app = await openDoors(services, log)
  const worker = config.role === 'web' ? null : await startWorker(services)
  await app.listen({ host: config.host, port: config.port, backlog: connectionBacklog })
  announce(config, performance.now() - startedAt, demo !== null)
  demo?.run()

  return async () => {
    log.info({ signal: (stopWish.reason as StopWish).signal }, 'stopping')
    running.announceStop()
    // Requests may finish; streams that go on after that are cut, and their players ask again.
    const cut = setTimeout(() => app.server.closeAllConnections(), requestsGraceMs)
    await app.close()
    clearTimeout(cut)
    await demo?.stop()
    await worker?.stop()
    await running.close()
    log.info('stopped')
  }
}

/** What has to be there before anybody is let in. */
async function prepare(services: Services, config: Config) {
  await ensureFirstAdmin(services, config)
  await refuseOpenDemo(services, config)
  const demo = config.demo ? await startDemo(services, sayDemoProgress) : null
  if (demo) services.demoProgress = demo.progress
  return demo
}

function openDoors(services: Services, log: Logger) {
  if (services.config.role === 'worker') return createWorkerApp(services, { log })
  const webFolder = join(import.meta.dirname, '..', 'dist')
  // In development the web app is served by its own hot-reloading server.
  return createApp(services, { log, webFolder: existsSync(webFolder) ? webFolder : null })
}

/** `DEMO=off` does not delete the demo's people, and their password is public. */
async function refuseOpenDemo({ db }: Services, config: Config): Promise<void> {
  if (isLoopback(config.host)) return
  const open = await findOpenDemoAccounts(db)
  if (open.length === 0) return
  throw new ConfigError(
    `HOST=${config.host} can be reached from outside, but ${open.join(', ')} still open with the public demo password. ` +
      'Start once on 127.0.0.1 and delete, ban or change the passwords of these accounts.',
  )
}

/** The first song is news, and every fifth. */
function sayDemoProgress(ready: number, total: number): void {
  if (ready !== 1 && ready % 5 !== 0) return
  const more = ready < total ? '; the rest is being composed' : ''
  process.stdout.write(`  Demo music: ${ready} of ${total} songs can be played${more}\n`)
}

function announce(config: Config, elapsedMs: number, demo: boolean): void {
  const what = config.role === 'worker' ? "'s worker is ready, its health" : ' is ready'
  const lines = [
    '',
    `  ${config.brandName}${what} at ${config.publicUrl}  (${(elapsedMs / 1000).toFixed(1)} s)`,
  ]
  if (demo) {
    lines.push('', `  Demo accounts, password ${demoPassword}:`)
    for (const account of demoAccounts)
      lines.push(`    ${account.email.padEnd(24)}${account.label}`)
  }
  process.stdout.write(`${lines.join('\n')}\n\n`)
}

main().catch((error: unknown) => {
  if (error instanceof StopWish) process.exit(0)
  const forPerson =
    error instanceof ConfigError ||
    error instanceof DatabaseStartError ||
    error instanceof StorageError ||
    (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
  process.stderr.write(
    `\n  ${forPerson ? (error as Error).message : `Velour could not start.\n\n${(error as Error).stack}`}\n\n`,
  )
  process.exit(1)
})
