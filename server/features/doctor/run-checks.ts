// All checks of `npm run doctor`, in order. Later checks depend on earlier ones.
import { once } from 'node:events'
import type { FastifyBaseLogger } from 'fastify'
import { refusePublicDemo, type Config } from '../../platform/config/config.ts'
import { findSecrets } from '../../platform/security/secret.ts'
import { createSecretBox } from '../../platform/security/secret-box.ts'
import { explainStartError } from '../../platform/start/start-error.ts'
import { checkClock, checkListening, checkPublicUrl } from './check-address.ts'
import { checkDatabase, checkDatabaseRoles, checkKey, checkMigrations } from './check-database.ts'
import { checkDataFolder, checkSpace } from './check-folders.ts'
import { checkCors, checkStore } from './check-storage.ts'
import { checkStripe } from './check-stripe.ts'
import { checkFfmpeg, checkMail } from './check-tools.ts'
import { ok, problem, type CheckContext, type Finding } from './finding.ts'

export interface CheckResult extends Finding {
  name: string
}

/** Runs a check. Returns null if there is nothing to check with this configuration. */
type Check = (context: CheckContext) => Promise<Finding | null>

const checks: { name: string; check: Check }[] = [
  { name: 'Settings', check: checkSettings },
  { name: 'Data folder', check: checkDataFolder },
  { name: 'Disk space', check: checkSpace },
  { name: 'Port', check: checkListening },
  { name: 'ffmpeg', check: checkFfmpeg },
  { name: 'Database', check: checkDatabase },
  { name: 'Roles', check: checkDatabaseRoles },
  { name: 'Migrations', check: checkMigrations },
  { name: 'SECRET', check: checkKey },
  { name: 'Storage', check: checkStore },
  { name: 'Uploads', check: checkCors },
  { name: 'Mail', check: checkMail },
  { name: 'Stripe', check: checkStripe },
  { name: 'PUBLIC_URL', check: checkPublicUrl },
  { name: 'Clock', check: checkClock },
]

const checkTimeoutMs = 60_000

export async function runChecks(options: {
  config: Config
  log: FastifyBaseLogger
  mailTo: string | null
  /** If this signal is aborted, `runChecks` throws its reason. */
  stopSignal?: AbortSignal
  onResult: (result: CheckResult) => void
}): Promise<CheckResult[]> {
  const { config, log, mailTo, onResult, stopSignal = new AbortController().signal } = options
  const context: CheckContext = {
    config,
    log,
    mailTo,
    secretBox: await openSecretBox(config),
    isRunning: false,
    database: null,
    db: null,
    hasInstallation: false,
    publicTime: null,
  }
  const results: CheckResult[] = []
  try {
    for (const { name, check } of checks) {
      const finding = await Promise.race([settle(check, context), aborted(stopSignal)])
      stopSignal.throwIfAborted()
      if (!finding) continue
      results.push({ name, ...finding })
      onResult({ name, ...finding })
    }
  } finally {
    await context.db?.close()
    await context.database?.close()
  }
  return results
}

async function aborted(signal: AbortSignal): Promise<null> {
  if (!signal.aborted) await once(signal, 'abort')
  return null
}

/** Null if the SECRET is missing or unreadable, which the check of the SECRET reports. */
async function openSecretBox(config: Config) {
  const secrets = await findSecrets(config).catch(() => null)
  return secrets && createSecretBox(secrets)
}

async function settle(check: Check, context: CheckContext): Promise<Finding | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Finding>((resolve) => {
    const text = `did not finish within ${checkTimeoutMs / 1000} s, because what it checks does not respond. Restart that, and check its log.`
    timer = setTimeout(() => resolve(problem(text)), checkTimeoutMs)
  })
  try {
    return await Promise.race([check(context), late])
  } catch (error) {
    const sentence = explainStartError(error, context.config)
    return problem(sentence ?? (error instanceof Error ? error.message : String(error)))
  } finally {
    clearTimeout(timer)
  }
}

async function checkSettings({ config }: CheckContext): Promise<Finding> {
  refusePublicDemo(config)
  return ok('the settings in the environment and .env are consistent')
}
