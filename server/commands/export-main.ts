// The command `npm run export -- FOLDER`: writes the whole catalogue to a folder, with or without a running server. A
// second run continues an interrupted export and updates the folder.
import { constants } from 'node:os'
import { resolve } from 'node:path'
import { createFolderTarget } from '../features/export/export-target.ts'
import { writeExport } from '../features/export/write-export.ts'
import { readBrandingRow, resolveBranding } from '../features/settings/branding.ts'
import { readConfig, type Config } from '../platform/config/config.ts'
import { createDatabase } from '../platform/db/database.ts'
import { listenForStopSignals, StopRequest } from '../platform/process/stop-signals.ts'
import { createServerLog } from '../platform/start/server-log.ts'
import { explainStartError } from '../platform/start/start-error.ts'
import { openToolDatabase } from '../platform/start/tool-database.ts'
import { openStorage } from '../platform/storage/open-storage.ts'

const log = createServerLog('error', { forPerson: process.stdout.isTTY })
const printLine = (line: string) => process.stdout.write(`  ${line}\n`)
const stopSignal = listenForStopSignals()

let config: Config | null = null

async function main(): Promise<number> {
  const [folder, ...more] = process.argv.slice(2)
  if (folder === undefined || folder.startsWith('-') || more.length > 0) {
    printLine('Usage: npm run export -- FOLDER')
    return 2
  }
  config = readConfig(process.env)
  const addresses = await openToolDatabase(config, log)
  const db = createDatabase({ connectionString: addresses.app, maxConnections: 2, log })
  try {
    const storage = await openStorage(config)
    try {
      const { artist_name } = resolveBranding(config, await readBrandingRow(db))
      const source = { db, storage, service: artist_name, now: () => new Date() }
      const target = createFolderTarget(resolve(folder))
      const { counts, fileCount, missing } = await writeExport(source, target, stopSignal)
      for (const path of missing) printLine(`! Not in the storage: ${path}`)
      const rows = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
      printLine(`${resolve(folder)}: ${rows.join(', ')}; ${fileCount} files`)
      return missing.length === 0 ? 0 : 1
    } finally {
      await storage.close()
    }
  } finally {
    await db.close()
    await addresses.close()
  }
}

main().then(
  (exitCode) => process.exit(exitCode),
  (error: unknown) => {
    if (stopSignal.aborted && stopSignal.reason instanceof StopRequest) {
      process.stderr.write(`\n  ${stopSignal.reason.message}\n\n`)
      process.exit(128 + constants.signals[stopSignal.reason.signal])
    }
    process.stderr.write(`\n  ${explainStartError(error, config) ?? (error as Error).stack}\n\n`)
    process.exit(1)
  },
)
