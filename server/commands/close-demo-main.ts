// `npm run close-demo`: replaces the demo's public password on every account that has it, before a service with the
// demo goes public. Works on the configured data folder or database, whether or not the server is running.
import { openToolDatabase } from '../platform/start/tool-database.ts'
import { readConfig } from '../platform/config/config.ts'
import { ConfigError } from '../platform/config/read-setting.ts'
import { createDatabase } from '../platform/db/database.ts'
import { DatabaseStartError } from '../platform/db/database-start-error.ts'
import { createServerLog } from '../platform/start/server-log.ts'
import { findOwnAdmins } from '../features/demo/demo-passwords.ts'
import { closeDemo } from '../features/demo/leave-demo.ts'

const log = createServerLog('error')
const printLine = (line: string) => process.stdout.write(`  ${line}\n`)

async function main(): Promise<void> {
  const addresses = await openToolDatabase(readConfig(process.env), log)
  const db = createDatabase({ connectionString: addresses.app, maxConnections: 2, log })
  try {
    const closed = await closeDemo(db, new Date())
    for (const email of closed) printLine(`${email} can no longer sign in with the demo password`)
    if (closed.length === 0) printLine('No account has the demo password.')
    const admins = (await findOwnAdmins(db)).filter((email) => !closed.includes(email))
    if (admins.length > 0) printLine(`Your own admins: ${admins.join(', ')}`)
    else {
      printLine('You have no admin of your own. The next start prints a link that creates one,')
      printLine('or set ADMIN_EMAIL and ADMIN_PASSWORD.')
    }
    printLine('From the next start the demo is off, even with DEMO=on.')
    printLine('Tracks, playlists and accounts of the demo stay; delete them in the back office.')
  } finally {
    await db.close()
    await addresses.close()
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const forPerson = error instanceof ConfigError || error instanceof DatabaseStartError
    process.stderr.write(`\n  ${forPerson ? error.message : (error as Error).stack}\n\n`)
    process.exit(1)
  },
)
