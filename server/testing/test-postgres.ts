// Vitest's global setup: starts a temporary PostgreSQL for the whole run, with a migrated template database that
// every test file copies.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { prepareDatabase } from '../platform/db/app-rights.ts'
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts'
import type { Log } from '../platform/process/log.ts'
import { findPostmaster, stopPostmaster } from '../platform/embedded-postgres/postmaster.ts'
import { createDatabaseBeside, nameOf, withDatabase } from './test-database.ts'

const runsFolder = join(tmpdir(), 'velour-test-runs')

const log: Log = { info() {}, warn: console.warn, error: console.error }

export default async function setUp(project: TestProject) {
  mkdirSync(runsFolder, { recursive: true, mode: 0o711 })
  await removeDeadRuns()
  const dataDir = mkdtempSync(join(runsFolder, `${process.pid}-`))
  const postgres = await startEmbeddedPostgres({ dataDir, log, durable: false })
  const template = await createDatabaseBeside(postgres.owner, 'template1')
  const templateApp = withDatabase(postgres.app, nameOf(template))
  await prepareDatabase({ owner: template, app: templateApp }, { log })
  project.provide('testTemplate', template)
  project.provide('testTemplateApp', templateApp)
  return async () => {
    await postgres.stop()
    rmSync(dataDir, { recursive: true })
  }
}

/** Stops the PostgreSQL of earlier runs that were killed, and removes its data. */
async function removeDeadRuns(): Promise<void> {
  for (const name of readdirSync(runsFolder)) {
    if (isAlive(Number.parseInt(name))) continue
    const postmaster = await findPostmaster(join(runsFolder, name, 'postgres', 'data'))
    if (postmaster) await stopPostmaster(postmaster)
    rmSync(join(runsFolder, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
