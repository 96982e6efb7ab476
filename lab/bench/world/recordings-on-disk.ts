// Writes audio files of a realistic size for tracks of the data set, so that they can be streamed.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { queryAt } from '#server/platform/db/with-client.ts'
import { openDiskStorage } from '#server/platform/storage/disk-storage.ts'
import type { BenchWorld } from './bench-world.ts'

/** As large as four minutes at 256 kbit/s. */
export const recordingBytes = 8 * 1024 * 1024

export interface RecordingOnDisk {
  /** Path of the stream on the server of Velour. */
  path: string
  /** Path below the folder that nginx serves. */
  file: string
}

export const objectsFolder = (world: BenchWorld) => join(world.storageFolder, 'objects')

export async function putRecordings(world: BenchWorld, count: number): Promise<RecordingOnDisk[]> {
  const storage = await openDiskStorage(world.storageFolder, 'bench')
  const recordings: RecordingOnDisk[] = []
  for (const { track_id, storage_key } of await findRenditions(world, count)) {
    if (!(await isComplete(join(objectsFolder(world), storage_key)))) {
      await storage.put(storage_key, Buffer.alloc(recordingBytes, track_id))
    }
    recordings.push({ path: `/api/tracks/${track_id}/stream`, file: `/${storage_key}` })
  }
  return recordings
}

function findRenditions({ database }: BenchWorld, count: number) {
  return queryAt<{ track_id: string; storage_key: string }>(
    database.app,
    `select track_id, storage_key from renditions join tracks t on t.id = track_id
      where kind = 'high' and is_published order by t.created_at desc, t.id limit $1`,
    [count],
  )
}

async function isComplete(path: string): Promise<boolean> {
  try {
    return (await stat(path)).size === recordingBytes
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
