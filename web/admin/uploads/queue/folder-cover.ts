// Finds an image in a dropped folder that is the cover of the tracks beside and below it: `album/cover.jpg`.
import { getFolder, findNearestCover, findOnlyPictures } from '#contract/fields/dropped-folders.ts'
import { uploadFile } from '../../../base/upload/upload-file.ts'
import { stemsOfRecordings } from './side-files.ts'
import type { UploadItem } from './upload-item.ts'

/** Returns the cover of the track's own folder, or else of the nearest parent folder. */
export function coverFor(track: UploadItem, items: readonly UploadItem[]): UploadItem | undefined {
  const covers = items.filter(({ stage }) => stage === 'cover')
  const alone = findOnlyPictures(covers, stemsOfRecordings([], items)).get(getFolder(track.path))
  return findNearestCover(track.path, covers, alone ? [alone] : [])
}

/** If the image can't be uploaded, the track is created without a cover. */
export async function sendCover(
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
