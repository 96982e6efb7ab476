// A process that holds an embedded database, for tests that kill it. Says what it got in one line of JSON; on
// SIGINT it queries once more, shuts the database down and says how both went.
import { startEmbeddedPostgres } from '../db/embedded-postgres.ts'
import { queryAt } from '../db/with-client.ts'

const dataDir = process.argv[2]
if (!dataDir) throw new Error('Usage: hold-postgres.ts DATA_DIR')
const log = { info() {}, warn: console.error, error: console.error }

try {
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  const { owner, adopted } = postgres
  process.on('SIGINT', () => {
    void (async () => {
      const [row] = await queryAt(owner, 'select 42 as answer')
      await postgres.stop()
      report({ answer: row!['answer'], stopped: true })
      process.exit(0)
    })()
  })
  // Keeps the process alive; the database does not.
  setInterval(() => {}, 60_000)
  report({ owner, adopted })
} catch (error) {
  report({ error: error instanceof Error ? error.message : String(error) })
  process.exitCode = 1
}

function report(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
