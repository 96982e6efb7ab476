// Registers this process as an instance in the database. Every few seconds, it writes a heartbeat with the free space
// of its disk. Uses the database's time, because the clocks of instances may differ.
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { BuildVersion } from '../../platform/config/build-version.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/database.ts'
import type { DiskWatch } from '../../platform/storage/disk-space.ts'

export interface Heartbeat {
  /** A random id of this process. It changes with each start. */
  readonly id: string
  /** Writes a heartbeat now. */
  beat: () => Promise<void>
  /** Stops the heartbeat and removes this process from the list of instances. */
  stop: () => Promise<void>
}

export const aliveSeconds = 30
const heartbeatMs = 10_000
/** A killed process stays listed for this time, so that the owner notices. */
const deleteAfter = '10 minutes'

export function startHeartbeat(services: {
  db: Database
  disk: Pick<DiskWatch, 'read'>
  config: Pick<Config, 'role'>
  build: BuildVersion
  log: FastifyBaseLogger
}): Heartbeat {
  const { db, disk, config, build, log } = services
  const id = randomUUID()
  const host = hostname().slice(0, 255)
  const uptimeAtStart = performance.now()
  let isWritten = true

  async function saveHeartbeat(): Promise<void> {
    const { free_bytes, total_bytes, folder } = await disk.read()
    const uptimeSeconds = (performance.now() - uptimeAtStart) / 1000
    await sql`
      insert into instances (id, host, role, version, commit, started_at, free_bytes, total_bytes, folder)
      values (${id}, ${host}, ${config.role}, ${build.version}, ${build.commit},
              now() - make_interval(secs => ${uptimeSeconds}), ${free_bytes}, ${total_bytes}, ${folder})
      on conflict (id) do update set
        seen_at = now(), free_bytes = excluded.free_bytes, total_bytes = excluded.total_bytes,
        folder = excluded.folder
    `.execute(db.query)
    await sql`delete from instances where seen_at < now() - ${deleteAfter}::interval`.execute(
      db.query,
    )
  }

  let pendingWrite: Promise<void> | null = null
  const writeHeartbeat = () => {
    pendingWrite ??= saveHeartbeat()
      .then(() => void (isWritten = true))
      .catch((error: unknown) => {
        // Log only the first failed heartbeat: the database is probably unreachable, which other code logs too.
        if (isWritten)
          log.warn({ err: error }, 'the heartbeat of this instance could not be written')
        isWritten = false
      })
      .finally(() => (pendingWrite = null))
  }
  writeHeartbeat()
  const timer = setInterval(writeHeartbeat, heartbeatMs)
  timer.unref()

  return {
    id,
    beat: saveHeartbeat,
    async stop() {
      clearInterval(timer)
      await pendingWrite
      await db.query
        .deleteFrom('instances')
        .where('id', '=', id)
        .execute()
        .catch((error: unknown) =>
          log.warn({ err: error }, 'this instance could not be removed from the list of instances'),
        )
    },
  }
}
