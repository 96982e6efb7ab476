// Detects the contents of an archive of music: which files are recordings, and which texts and covers belong to them.
import {
  folderOf,
  isCover,
  nearestCover,
  onlyPictures,
  releaseFolderOf,
} from '#contract/fields/dropped-folders.ts'
import { listName } from '#contract/admin/imports.ts'
import {
  isNamedLyrics,
  sideFileKindOf,
  sideFileMaxLength,
  sideStemsOf,
  stemOf,
} from '#contract/fields/side-files.ts'
import { looksLikeAudio, uploadMaxBytes } from '#contract/uploads.ts'
import type { ArchiveEntry } from './open-archive.ts'
import type { NewItem } from './import-rows.ts'

/** The files that belong to a recording, by path in the archive. */
export interface FileData {
  sides: string[]
  cover: string | null
  folder: string | null
  /** Manifests of Faircamp that describe it, the most specific one first. Absent in imports of an earlier version. */
  manifests?: string[]
  /** It is the only recording of its folder. */
  is_only?: boolean
}

/** Faircamp: `release.eno` beside the recordings, and `track.eno` in a folder of a single recording. */
const manifestName = /^(?:release|track)\.eno$/i

const maxLeftOut = 1000

/** In natural order: track 2 before track 10. Copies come last, so that not the original counts as known. */
export function planFiles(entries: readonly ArchiveEntry[]): NewItem[] {
  const collator = new Intl.Collator('en', { numeric: true })
  const visible = entries
    .filter(({ path }) => !isHidden(path))
    .toSorted((a, b) => collator.compare(a.path, b.path))
  const recordings = copiesLast(visible.filter(({ path }) => isRecording(path)))
  const found = findBeside(visible, recordings)
  const covers = new Set<string | null>()
  return [
    ...recordings.map(({ path, byteSize }): NewItem => {
      const { manifests, folders, folder } = manifestsFor(path, found.manifests)
      const alone = folders.flatMap((one) => found.pictures.get(one) ?? [])
      const cover = nearestCover(path, found.covers, alone)?.path ?? null
      covers.add(cover)
      const data: FileData = {
        sides: found.sides.get(stemOf(path)) ?? [],
        cover,
        folder,
        manifests,
        ...(found.onlyIn(folderOf(path)) === path && { is_only: true }),
      }
      const reason =
        byteSize === 0
          ? 'The file is empty'
          : byteSize > uploadMaxBytes.audio
            ? 'The file is larger than 2 GB'
            : null
      const item: NewItem = { kind: 'recording', path, name: nameOf(path), data }
      return reason === null ? item : { ...item, status: 'left_out', reason }
    }),
    ...found.lists,
    ...found.rest.filter(({ path }) => !covers.has(path)),
  ]
}

/** `Copy of Song.mp3`, `Song copy 2.mp3`, `Song - Copy.mp3`, `Song (1).mp3`. */
const copyName = /^(?:copy of (.+)|(.+?)(?: - copy| copy(?: \d+)?| ?\(\d+\)))$/
const copyFolder = /^(?:old |my )?(?:copies|backups?|duplicates?)$/

/** A file is a copy if there is one of the name that remains. */
function copiesLast(recordings: readonly ArchiveEntry[]): ArchiveEntry[] {
  const nameIn = (path: string) => nameOf(stemOf(path))
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

/** Sorts the files that are no recordings. */
function findBeside(visible: readonly ArchiveEntry[], recordings: readonly ArchiveEntry[]) {
  const stems = new Set(recordings.map(({ path }) => stemOf(path)))
  const byFolder = Map.groupBy(recordings, ({ path }) => folderOf(path))
  const onlyIn = (folder: string) => {
    const [first, second] = byFolder.get(folder) ?? []
    return second === undefined ? first?.path : undefined
  }
  const isPicture = ({ byteSize }: ArchiveEntry) =>
    byteSize > 0 && byteSize <= uploadMaxBytes.covers
  const pictures = onlyPictures(visible.filter(isPicture), stems)
  const sides = new Map<string, string[]>()
  const covers: ArchiveEntry[] = []
  const manifests: string[] = []
  const lists: NewItem[] = []
  const rest: NewItem[] = []
  for (const entry of visible) {
    const { path, byteSize } = entry
    if (isRecording(path)) continue
    const only = isNamedLyrics(path) ? onlyIn(folderOf(path)) : undefined
    const stem = sideStemsOf(path).find((one) => stems.has(one)) ?? (only && stemOf(only))
    if (sideFileKindOf(path) && stem !== undefined && byteSize <= sideFileMaxLength * 4) {
      sides.set(stem, [...(sides.get(stem) ?? []), path])
    } else if (manifestName.test(nameOf(path))) {
      manifests.push(path)
    } else if (isCover(path, stems) && isPicture(entry)) {
      covers.push(entry)
    } else if (listName.test(path)) {
      lists.push({ kind: 'list', path, name: nameOf(path) })
    } else if (rest.length < maxLeftOut) {
      const reason = 'Not music, and beside no recording of that name'
      rest.push({ kind: 'list', path, name: nameOf(path), status: 'left_out', reason })
    }
  }
  return { sides, covers, pictures, manifests, lists, rest, onlyIn }
}

interface FoundManifests extends Required<Pick<FileData, 'folder' | 'manifests'>> {
  /** The folders whose only picture is the cover, the nearest one first. */
  folders: string[]
}

/** A folder with `track.eno`, or within one with `release.eno`, is a track: the release is the folder around it. */
function manifestsFor(path: string, manifests: readonly string[]): FoundManifests {
  const inFolder = (folder: string, name: string) =>
    manifests.find((one) => one.toLowerCase() === `${folder}${name}`.toLowerCase())
  const own = folderOf(path)
  const parent = folderOf(own.slice(0, -1))
  const track = inFolder(own, 'track.eno')
  const isTrack =
    track !== undefined ||
    (parent !== '' && !inFolder(own, 'release.eno') && inFolder(parent, 'release.eno'))
  const around = isTrack ? parent : own
  const release = inFolder(around, 'release.eno')
  return {
    folder: releaseFolderOf(`${around}x`),
    manifests: [track, release].filter((one) => one !== undefined),
    folders: isTrack ? [own, parent] : [own],
  }
}

const nameOf = (path: string) => path.split('/').at(-1) ?? path

/** Files that macOS and other systems add. */
function isHidden(path: string): boolean {
  return path.split('/').some((part) => part.startsWith('.') || part === '__MACOSX')
}
