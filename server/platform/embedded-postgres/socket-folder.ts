// Chooses the folder of the database's Unix socket. A socket path is limited to about 100 bytes, and not every file
// system supports sockets. If the data folder is unsuitable, a private temporary folder is used.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { ensurePrivateFolder } from './postgres-cluster.ts'
import { postgresPort } from './postgres-settings.ts'
import type { PostgresUser } from './postgres-user.ts'

// macOS allows 103 bytes, Linux 107.
const longestSocketPath = 103
// os.tmpdir() is not used, because its path may be long, or closed to the user of the database.
const temporaryPrefix = '/tmp/velour-socket-'

export async function makeSocketFolder(folder: string, user: PostgresUser): Promise<string> {
  const wanted = join(folder, 'socket')
  ensurePrivateFolder(wanted, user)
  if (await supportsSockets(wanted)) return wanted
  const temporary = await mkdtemp(temporaryPrefix)
  ensurePrivateFolder(temporary, user)
  return temporary
}

export async function removeSocketFolder(socketFolder: string): Promise<void> {
  if (socketFolder.startsWith(temporaryPrefix)) {
    await rm(socketFolder, { recursive: true, force: true })
  }
}

async function supportsSockets(folder: string): Promise<boolean> {
  // PostgreSQL also creates a lock file with a longer name, but the limit applies only to the socket.
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
