// Finds the cover of tracks among dropped images: `album/cover.jpg` is the cover of all tracks in `album` and its
// subfolders.
import { getFolder, findNearestCover, findOnlyPictures } from '#contract/fields/dropped-folders.ts'
import { uploadFile } from '../../../base/upload/upload-file.ts'
import { getRecordingStems } from './side-files.ts'
import type { UploadItem } from './upload-item.ts'

/**
 * Returns the cover in the folder of the track. If there is none, returns the cover of the nearest parent folder that
 * has one.
 */
export function findFolderCover(
  track: UploadItem,
  items: readonly UploadItem[],
): UploadItem | undefined {
  const covers = items.filter(({ stage }) => stage === 'cover')
  const alone = findOnlyPictures(covers, getRecordingStems([], items)).get(getFolder(track.path))
  return findNearestCover(track.path, covers, alone ? [alone] : [])
}

/** Uploads the cover. Resolves to null if that fails. The track is then created without a cover. */
export async function uploadCover(
  file: File | undefined,
  signal: AbortSignal,
): Promise<string | null> {
  if (!file) return null
  try {
    return await uploadFile(file, { bucket: 'covers', signal })
  } catch (error) {
    if (signal.aborted) throw error
    console.warn('A folder cover could not be uploaded', error)
    return null
  }
}
