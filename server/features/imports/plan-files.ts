// Detects the contents of an archive of music: which files are recordings, and which texts and covers belong to them.
import { isFolderCover, nearestCover, releaseFolderOf } from '#contract/fields/dropped-folders.ts'
import { listName } from '#contract/admin/imports.ts'
import { sideFileKindOf, sideFileMaxLength, stemOf } from '#contract/fields/side-files.ts'
import { looksLikeAudio, uploadMaxBytes } from '#contract/uploads.ts'
import type { ArchiveEntry } from './open-archive.ts'
import type { NewItem } from './import-rows.ts'

/** The files that belong to a recording, by path in the archive. */
export interface FileData {
  sides: string[]
  cover: string | null
  folder: string | null
}

const maxLeftOut = 1000

/** In natural order: track 2 before track 10. */
export function planFiles(entries: readonly ArchiveEntry[]): NewItem[] {
  const collator = new Intl.Collator('en', { numeric: true })
  const visible = entries
    .filter(({ path }) => !isHidden(path))
    .toSorted((a, b) => collator.compare(a.path, b.path))
  const recordings = visible.filter(({ path }) => looksLikeAudio(path, 'application/octet-stream'))
  const stems = new Set(recordings.map(({ path }) => stemOf(path)))
  const sides = new Map<string, string[]>()
  const covers: ArchiveEntry[] = []
  const lists: NewItem[] = []
  const rest: NewItem[] = []
  for (const entry of visible) {
    const { path, byteSize } = entry
    if (looksLikeAudio(path, 'application/octet-stream')) continue
    const stem = stemOf(path)
    if (sideFileKindOf(path) && stems.has(stem) && byteSize <= sideFileMaxLength * 4) {
      sides.set(stem, [...(sides.get(stem) ?? []), path])
    } else if (isFolderCover(path) && byteSize > 0 && byteSize <= uploadMaxBytes.covers) {
      covers.push(entry)
    } else if (listName.test(path)) {
      lists.push({ kind: 'list', path, name: nameOf(path) })
    } else if (rest.length < maxLeftOut) {
      const reason = 'Not music, and beside no recording of that name'
      rest.push({ kind: 'list', path, name: nameOf(path), status: 'left_out', reason })
    }
  }
  return [
    ...recordings.map(({ path, byteSize }): NewItem => {
      const data: FileData = {
        sides: sides.get(stemOf(path)) ?? [],
        cover: nearestCover(path, covers)?.path ?? null,
        folder: releaseFolderOf(path),
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
    ...lists,
    ...rest,
  ]
}

const nameOf = (path: string) => path.split('/').at(-1) ?? path

/** Files that macOS and other systems add. */
function isHidden(path: string): boolean {
  return path.split('/').some((part) => part.startsWith('.') || part === '__MACOSX')
}
