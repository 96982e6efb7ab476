// Checks of `npm run doctor` for the data folder and the disks: owner, permissions and free space.
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { refuseUnfinishedRestore } from '../backup/unfinished-restore.ts'
import { getSpaceLevel, watchDisk, watchedFolders } from '../../platform/storage/disk-space.ts'
import { note, ok, problem, type CheckContext, type Finding } from './finding.ts'

const { R_OK, W_OK, X_OK } = constants

export async function checkDataFolder({ config }: CheckContext): Promise<Finding> {
  const { dataDir } = config
  if (!existsSync(dataDir)) {
    accessSync(nearestFolder(dataDir), W_OK | X_OK)
    return note(
      `${dataDir} does not exist yet; the first start creates it. Check that DATA_DIR is correct.`,
    )
  }
  // Throws ENOTDIR if the data folder is a file.
  accessSync(`${dataDir}/`, X_OK)
  await refuseUnfinishedRestore(dataDir)
  const { uid } = statSync(dataDir)
  const own = process.getuid?.() ?? uid
  if (own === 0 && uid !== 0) {
    return note(
      `${dataDir} belongs to user id ${uid} and this command runs as root, which can write anywhere: ` +
        `run it as that user (sudo -u "#${uid}" npm run doctor) to check the permissions.`,
    )
  }
  const folders = usedFolders(dataDir)
  for (const folder of folders) accessSync(folder, R_OK | W_OK | X_OK)
  return ok(`${dataDir}: belongs to user id ${uid}, which can read and write all folders in it`)
}

export async function checkSpace({ config, log }: CheckContext): Promise<Finding> {
  const disk = watchDisk({ folder: nearestFolder(config.dataDir), log })
  const spaces = await disk.readAll().finally(() => disk.stop())
  const described = spaces.map((space) => ({
    level: getSpaceLevel(space),
    text: `${join(config.dataDir, space.folder)} has ${gigabytes(space.free_bytes)} of ${gigabytes(space.total_bytes)} GB free`,
  }))
  const full = described.find(({ level }) => level === 'full')
  if (full) {
    return problem(
      `${full.text}: uploads are refused and new tracks wait. Free up space on that disk.`,
    )
  }
  const low = described.find(({ level }) => level === 'low')
  if (low) return note(`${low.text}: free up space before uploads are refused.`)
  return ok(described.map(({ text }) => text).join('; '))
}

/**
 * The folders that the service writes to. The database's folder is left out: if root runs the service, it belongs to
 * another user.
 */
function usedFolders(dataDir: string): string[] {
  return [...watchedFolders, 'outbox']
    .filter((folder) => folder !== 'postgres' || process.getuid?.() !== 0)
    .map((folder) => join(dataDir, folder))
    .filter((folder) => existsSync(folder))
}

const nearestFolder = (path: string): string =>
  existsSync(path) || path === dirname(path) ? path : nearestFolder(dirname(path))

const gigabytes = (bytes: number) => (bytes / 1e9).toFixed(1)
