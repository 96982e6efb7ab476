// A picture in a dropped folder that is the cover of the tracks beside and below it: `album/cover.jpg`.
import { nearestCover } from '#contract/fields/dropped-folders.ts'
import { uploadFile } from '../../../base/upload/upload-file.ts'
import type { UploadItem } from './upload-item.ts'

/** Returns the cover of the track's own folder, or else of the nearest parent folder. */
export function coverFor(track: UploadItem, items: readonly UploadItem[]): UploadItem | undefined {
  return nearestCover(
    track.path,
    items.filter(({ stage }) => stage === 'cover'),
  )
}

/** If the picture can't be uploaded, the track is created without a cover. */
export async function sendCover(
  file: File | undefined,
  signal: AbortSignal,
): Promise<string | null> {
  if (!file) return null
  try {
    return await uploadFile(file, { bucket: 'covers', signal })
  } catch (error) {
    if (signal.aborted) throw error
    console.warn('The cover of a folder could not be sent', error)
    return null
  }
}
