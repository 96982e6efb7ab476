// Text files beside a recording, named like it: `Song.txt`, `Song.lrc`. They are read here and sent with the track.
import {
  sideFileKindOf,
  sideFileMaxLength,
  stemOf,
  type SideFile,
} from '#contract/fields/side-files.ts'
import type { FoundFile, UploadItem } from './upload-item.ts'

/** A longer file is no text about a song. Characters take up to four bytes. */
const maxBytes = sideFileMaxLength * 4

/** Stems of the files that may be recordings: those of the drop and those in the list. */
export function stemsOfRecordings(
  found: readonly FoundFile[],
  list: readonly UploadItem[],
): ReadonlySet<string> {
  const paths = [...found, ...list].map(({ path }) => path)
  return new Set(paths.filter((path) => sideFileKindOf(path) === undefined).map(stemOf))
}

export function isSideFile({ file, path }: FoundFile, recordings: ReadonlySet<string>): boolean {
  const isText = sideFileKindOf(path) !== undefined && file.size > 0 && file.size <= maxBytes
  return isText && recordings.has(stemOf(path))
}

/** Reads the texts beside a track, one of each kind. A file that cannot be read any more is left out. */
export async function readSideFiles(
  track: Pick<UploadItem, 'path'>,
  items: Iterable<UploadItem>,
  available: ReadonlyMap<string, File>,
): Promise<SideFile[]> {
  const stem = stemOf(track.path)
  const texts = new Map<SideFile['kind'], SideFile>()
  for (const { id, stage, path } of items) {
    const kind = sideFileKindOf(path)
    const file = available.get(id)
    if (stage !== 'side' || !kind || !file || stemOf(path) !== stem) continue
    const text = await file.text().catch(() => null)
    if (text !== null) texts.set(kind, { kind, text: text.slice(0, sideFileMaxLength) })
  }
  return [...texts.values()]
}
