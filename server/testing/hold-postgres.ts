// A process that runs an embedded database, for tests that kill it. Prints one line of JSON when the database has
// started. On SIGINT it runs another query, shuts the database down and prints both results.
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts'
import { queryAt } from '../platform/db/with-client.ts'

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
  // Keeps the process running. The database alone would not.
  setInterval(() => {}, 60_000)
  report({ owner, adopted })
} catch (error) {
  report({ error: error instanceof Error ? error.message : String(error) })
  process.exitCode = 1
}

function report(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
