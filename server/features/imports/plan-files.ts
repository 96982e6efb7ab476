// Plans the import of an archive of music: which files are recordings, and which text files and covers belong to them.
import {
  getFolder,
  isCover,
  findNearestCover,
  findOnlyPictures,
  findReleaseFolder,
} from '#contract/fields/dropped-folders.ts'
import { listName } from '#contract/admin/imports.ts'
import {
  isNamedLyrics,
  detectSideFileKind,
  sideFileMaxLength,
  listSideFileStems,
  toStem,
} from '#contract/fields/side-files.ts'
import { looksLikeAudio, uploadMaxBytes } from '#contract/uploads.ts'
import type { ArchiveEntry } from './open-archive.ts'
import type { NewItem } from './import-rows.ts'

/** The files that belong to a recording. All are paths in the archive. */
export interface FileData {
  sides: string[]
  cover: string | null
  folder: string | null
  /**
   * Faircamp manifests that describe the recording, most specific first. Absent in imports that an earlier version of
   * Velour started.
   */
  manifests?: string[]
  /** Whether this is the only recording in its folder. */
  is_only?: boolean
}

/**
 * Faircamp stores `release.eno` in the folder of the recordings, and `track.eno` in a folder with a single recording.
 */
const manifestName = /^(?:release|track)\.eno$/i

const maxLeftOut = 1000

/**
 * Returns items in natural order: track 2 before track 10. Copies come last, so that the copy is reported as already
 * known, and not the original.
 */
export function planFiles(entries: readonly ArchiveEntry[]): NewItem[] {
  const collator = new Intl.Collator('en', { numeric: true })
  const visible = entries
    .filter(({ path }) => !isHidden(path))
    .toSorted((a, b) => collator.compare(a.path, b.path))
  const recordings = sortCopiesLast(visible.filter(({ path }) => isRecording(path)))
  const found = findBeside(visible, recordings)
  const covers = new Set<string | null>()
  return [
    ...recordings.map(({ path, byteSize }): NewItem => {
      const { manifests, folders, folder } = findManifests(path, found.manifests)
      const alone = folders.flatMap((one) => found.pictures.get(one) ?? [])
      const cover = findNearestCover(path, found.covers, alone)?.path ?? null
      covers.add(cover)
      const data: FileData = {
        sides: found.sides.get(toStem(path)) ?? [],
        cover,
        folder,
        manifests,
        ...(found.onlyIn(getFolder(path)) === path && { is_only: true }),
      }
      const reason =
        byteSize === 0
          ? 'The file is empty'
          : byteSize > uploadMaxBytes.audio
            ? 'The file is larger than 2 GB'
            : null
      const item: NewItem = { kind: 'recording', path, name: getFileName(path), data }
      return reason === null ? item : { ...item, status: 'left_out', reason }
    }),
    ...found.lists,
    ...found.rest.filter(({ path }) => !covers.has(path)),
  ]
}

/** File names of copies: `Copy of Song.mp3`, `Song copy 2.mp3`, `Song - Copy.mp3` and `Song (1).mp3`. */
const copyName = /^(?:copy of (.+)|(.+?)(?: - copy| copy(?: \d+)?| ?\(\d+\)))$/
const copyFolder = /^(?:old |my )?(?:copies|backups?|duplicates?)$/

/**
 * A file is a copy if another recording has the same name without `copy` or `(1)`, or if it is in a folder for copies.
 */
function sortCopiesLast(recordings: readonly ArchiveEntry[]): ArchiveEntry[] {
  const nameIn = (path: string) => getFileName(toStem(path))
  const names = new Set(recordings.map(({ path }) => nameIn(path)))
  const isCopy = ({ path }: ArchiveEntry) => {
    const [, after, before] = copyName.exec(nameIn(path)) ?? []
    const folders = path.toLowerCase().split('/').slice(0, -1)
    return names.has(after ?? before ?? '') || folders.some((folder) => copyFolder.test(folder))
  }
  const groups = Map.groupBy(recordings, isCopy)
  return [...(groups.get(false) ?? []), ...(groups.get(true) ?? [])]
}

const isRecording = (path: string) => looksLikeAudio(path, 'application/octet-stream')

/** Sorts the files that are not recordings into side files, covers, manifests, lists and ignored files. */
function findBeside(visible: readonly ArchiveEntry[], recordings: readonly ArchiveEntry[]) {
  const stems = new Set(recordings.map(({ path }) => toStem(path)))
  const byFolder = Map.groupBy(recordings, ({ path }) => getFolder(path))
  const onlyIn = (folder: string) => {
    const [first, second] = byFolder.get(folder) ?? []
    return second === undefined ? first?.path : undefined
  }
  const isPicture = ({ byteSize }: ArchiveEntry) =>
    byteSize > 0 && byteSize <= uploadMaxBytes.covers
  const pictures = findOnlyPictures(visible.filter(isPicture), stems)
  const sides = new Map<string, string[]>()
  const covers: ArchiveEntry[] = []
  const manifests: string[] = []
  const lists: NewItem[] = []
  const rest: NewItem[] = []
  for (const entry of visible) {
    const { path, byteSize } = entry
    if (isRecording(path)) continue
    const only = isNamedLyrics(path) ? onlyIn(getFolder(path)) : undefined
    const stem = listSideFileStems(path).find((one) => stems.has(one)) ?? (only && toStem(only))
    if (detectSideFileKind(path) && stem !== undefined && byteSize <= sideFileMaxLength * 4) {
      sides.set(stem, [...(sides.get(stem) ?? []), path])
    } else if (manifestName.test(getFileName(path))) {
      manifests.push(path)
    } else if (isCover(path, stems) && isPicture(entry)) {
      covers.push(entry)
    } else if (listName.test(path)) {
      lists.push({ kind: 'list', path, name: getFileName(path) })
    } else if (rest.length < maxLeftOut) {
      const reason = 'Not music, and no recording has this name'
      rest.push({ kind: 'list', path, name: getFileName(path), status: 'left_out', reason })
    }
  }
  return { sides, covers, pictures, manifests, lists, rest, onlyIn }
}

interface FoundManifests extends Required<Pick<FileData, 'folder' | 'manifests'>> {
  /** Folders whose only picture is used as the cover, nearest to the recording first. */
  folders: string[]
}

/**
 * Finds the manifests of a recording. A folder with `track.eno`, or a subfolder of a folder with `release.eno`, is a
 * track, and its parent folder is the release.
 */
function findManifests(path: string, manifests: readonly string[]): FoundManifests {
  const inFolder = (folder: string, name: string) =>
    manifests.find((one) => one.toLowerCase() === `${folder}${name}`.toLowerCase())
  const own = getFolder(path)
  const parent = getFolder(own.slice(0, -1))
  const track = inFolder(own, 'track.eno')
  const isTrack =
    track !== undefined ||
    (parent !== '' && !inFolder(own, 'release.eno') && inFolder(parent, 'release.eno'))
  const around = isTrack ? parent : own
  const release = inFolder(around, 'release.eno')
  return {
    folder: findReleaseFolder(`${around}x`),
    manifests: [track, release].filter((one) => one !== undefined),
    folders: isTrack ? [own, parent] : [own],
  }
}

const getFileName = (path: string) => path.split('/').at(-1) ?? path

/** Whether a file is hidden or was added by macOS. */
function isHidden(path: string): boolean {
  return path.split('/').some((part) => part.startsWith('.') || part === '__MACOSX')
}
