// A picture in a dropped folder that is the cover of the tracks beside and below it: `album/cover.jpg`.
import { uploadFile } from '../../../base/upload/upload-file.ts'
import type { UploadItem } from './upload-item.ts'

/** The most reliable name first. */
const names = ['cover', 'folder', 'front', 'albumart', 'album'] as const
const pictureName = /^(.+)\.(?:jpe?g|png|webp|avif)$/i

/** Ranks a file as a folder's cover, with 0 as the best. Returns undefined if it isn't a cover. */
function rankOf(path: string): number | undefined {
  const [name = '', ...folders] = path.split('/').toReversed()
  const stem = pictureName.exec(name)?.[1]?.toLowerCase()
  const rank = names.findIndex((known) => known === stem)
  return folders.length > 0 && rank >= 0 ? rank : undefined
}

export function isFolderCover(path: string): boolean {
  return rankOf(path) !== undefined
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)

/** The folder that stands for a release: folders of its discs do not. Null outside of any. */
export function releaseFolderOf(path: string): string | null {
  const folders = path.split('/').slice(0, -1)
  const name = folders.findLast((folder) => !/^(?:cd|dis[ck])[ _-]*\d{1,2}$/i.test(folder))
  return name?.slice(0, 200) ?? null
}

/** Returns the cover of the track's own folder, or else of the nearest parent folder. */
export function coverFor(track: UploadItem, items: readonly UploadItem[]): UploadItem | undefined {
  const folder = folderOf(track.path)
  return items
    .filter(({ stage, path }) => stage === 'cover' && folder.startsWith(folderOf(path)))
    .toSorted(
      (a, b) =>
        folderOf(b.path).length - folderOf(a.path).length ||
        (rankOf(a.path) ?? 0) - (rankOf(b.path) ?? 0),
    )[0]
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
