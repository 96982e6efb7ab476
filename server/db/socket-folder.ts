// Where the database's Unix socket lies. A socket's path holds about 100 bytes and not every file system carries
// sockets, so a private temporary folder stands in where the data folder cannot serve.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { ensurePrivateFolder } from './postgres-cluster.ts'
import { postgresPort } from './postgres-settings.ts'
import type { PostgresUser } from './postgres-user.ts'

// macOS allows 103 bytes, Linux 107.
const longestSocketPath = 103
// Not os.tmpdir(): that may be long or closed to the database's user.
const temporaryPrefix = '/tmp/velour-socket-'

export async function makeSocketFolder(folder: string, user: PostgresUser): Promise<string> {
  const wanted = join(folder, 'socket')
  ensurePrivateFolder(wanted, user)
  if (await carriesSockets(wanted)) return wanted
  const temporary = await mkdtemp(temporaryPrefix)
  ensurePrivateFolder(temporary, user)
  return temporary
}

export async function removeSocketFolder(socketFolder: string): Promise<void> {
  if (socketFolder.startsWith(temporaryPrefix)) {
    await rm(socketFolder, { recursive: true, force: true })
  }
}

async function carriesSockets(folder: string): Promise<boolean> {
  // PostgreSQL also makes a lock file beside its socket, with a longer name but without that limit.
  if (Buffer.byteLength(join(folder, `.s.PGSQL.${postgresPort}`)) > longestSocketPath) return false
  const probe = createServer()
  try {
    await once(probe.listen(join(folder, '.probe')), 'listening')
  } catch {
    return false
  }
  probe.close()
  await once(probe, 'close')
  return true
}
