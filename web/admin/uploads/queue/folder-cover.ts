// Finds an image in a dropped folder that is the cover of the tracks beside and below it: `album/cover.jpg`.
import { getFolder, findNearestCover, findOnlyPictures } from '#contract/fields/dropped-folders.ts'
import { uploadFile } from '../../../base/upload/upload-file.ts'
import { getRecordingStems } from './side-files.ts'
import type { UploadItem } from './upload-item.ts'

/**
 * Returns the cover of the track's own folder. If that folder has none, returns the cover of the nearest parent folder
 * that has one.
 */
export function findFolderCover(
  track: UploadItem,
  items: readonly UploadItem[],
): UploadItem | undefined {
  const covers = items.filter(({ stage }) => stage === 'cover')
  const alone = findOnlyPictures(covers, getRecordingStems([], items)).get(getFolder(track.path))
  return findNearestCover(track.path, covers, alone ? [alone] : [])
}

/** Uploads the cover. Resolves to null if that fails: the track is then created without a cover. */
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
