// Determines from file names alone which picture is the cover of which tracks, and which folder is a release.

import { toStem } from './side-files.ts'

/** File names of covers, the most reliable one first. */
const names = ['cover', 'folder', 'front', 'albumart', 'album'] as const
const pictureName = /^(.+)\.(?:jpe?g|png|webp|avif)$/i

/** Ranks a file as a folder's cover, with 0 as the best. Returns undefined if it isn't a cover. */
function rankCover(path: string): number | undefined {
  const [name = '', ...folders] = path.split('/').toReversed()
  const stem = pictureName.exec(name)?.[1]?.toLowerCase()
  const rank = names.findIndex((known) => known === stem)
  return folders.length > 0 && rank >= 0 ? rank : undefined
}

export function isFolderCover(path: string): boolean {
  return rankCover(path) !== undefined
}

/**
 * Whether a picture is a folder's cover or has the name of a recording. `recordings` are file names without
 * extension.
 */
export function isCover(path: string, recordings: ReadonlySet<string>): boolean {
  return isFolderCover(path) || (pictureName.test(path) && recordings.has(toStem(path)))
}

/**
 * For each folder that contains exactly one picture, that picture. It is used as the cover of the folder's
 * recordings, whatever its name. Pictures named after a recording don't count.
 */
export function findOnlyPictures<Item extends { path: string }>(
  files: readonly Item[],
  recordings: ReadonlySet<string>,
): ReadonlyMap<string, Item> {
  const free = files.filter(({ path }) => pictureName.test(path) && !recordings.has(toStem(path)))
  const counts = new Map<string, number>()
  for (const { path } of free) counts.set(getFolder(path), (counts.get(getFolder(path)) ?? 0) + 1)
  const alone = free.filter(
    ({ path }) => getFolder(path) !== '' && counts.get(getFolder(path)) === 1,
  )
  return new Map(alone.map((picture) => [getFolder(picture.path), picture]))
}

/** The folder of a path, with the trailing slash. Empty for a file outside any folder. */
export const getFolder = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)

/**
 * Returns the name of the folder that represents the release. Skips folders of single discs. Null for a file outside
 * any folder.
 */
export function findReleaseFolder(path: string): string | null {
  const folders = path.split('/').slice(0, -1)
  const name = folders.findLast((folder) => !/^(?:cd|dis[ck])[ _-]*\d{1,2}$/i.test(folder))
  return name?.slice(0, 200) ?? null
}

/**
 * The picture named after the track, otherwise the cover in its folder, otherwise the cover in the nearest parent
 * folder. `covers` are pictures accepted by `isCover`. `alone` are pictures that are the only one in their folder,
 * regardless of their name.
 */
export function findNearestCover<Item extends { path: string }>(
  trackPath: string,
  covers: readonly Item[],
  alone: readonly Item[] = [],
): Item | undefined {
  const stem = toStem(trackPath)
  const own = covers.find(({ path }) => toStem(path) === stem)
  if (own) return own
  const folder = getFolder(trackPath)
  return [...covers.filter(({ path }) => isFolderCover(path)), ...alone]
    .filter(({ path }) => folder.startsWith(getFolder(path)))
    .toSorted(
      (a, b) =>
        getFolder(b.path).length - getFolder(a.path).length ||
        (rankCover(a.path) ?? names.length) - (rankCover(b.path) ?? names.length),
    )[0]
}
