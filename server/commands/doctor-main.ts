// The command `npm run doctor`. Exits with 1 when a check fails.
import { constants } from 'node:os'
import { readConfig } from '../platform/config/config.ts'
import { ConfigError } from '../platform/config/read-setting.ts'
import { createServerLog } from '../platform/start/server-log.ts'
import { listenForStopSignals, StopRequest } from '../platform/process/stop-signals.ts'
import { runChecks, type CheckResult } from '../features/doctor/run-checks.ts'

const signs = { ok: '✓', note: '!', problem: '✗' } as const
const nameWidth = 12

function printResult({ level, name, text }: CheckResult): void {
  process.stdout.write(`  ${signs[level]} ${name.padEnd(nameWidth)}${text}\n`)
}

/** Parses `--mail ADDRESS` and returns the address, or null without arguments. */
function readArguments([name, address, ...rest]: string[]): string | null {
  if (name === undefined) return null
  if (name === '--mail' && address?.includes('@') && rest.length === 0) return address
  throw new ConfigError('Usage: npm run doctor, or npm run doctor -- --mail ADDRESS')
}

async function main(): Promise<number> {
  const stopSignal = listenForStopSignals()
  const mailTo = readArguments(process.argv.slice(2))
  const config = readConfig(process.env)
  const log = createServerLog('silent')
  const results = await runChecks({ config, log, mailTo, onResult: printResult, stopSignal })
  const count = (level: CheckResult['level']) =>
    results.filter((result) => result.level === level).length
  const problems = count('problem')
  const notes = count('note')
  const all = `${results.length} checks`
  process.stdout.write(
    problems === 0 && notes === 0
      ? `\n  ${all}: no problems found.\n`
      : `\n  ${all}: ${problems} failed (✗), ${notes} to review (!).\n`,
  )
  return problems > 0 ? 1 : 0
}

main().then(
  (exitCode) => process.exit(exitCode),
  (error: unknown) => {
    // Shells use this exit code for a program that was ended by a signal.
    if (error instanceof StopRequest) process.exit(128 + constants.signals[error.signal])
    if (!(error instanceof ConfigError)) throw error
    printResult({ level: 'problem', name: 'Settings', text: error.message })
    process.exit(1)
  },
)
