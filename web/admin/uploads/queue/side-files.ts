// Side files: text files with the name of a recording in the same folder, such as `Song.txt` and `Song.lrc`. The
// browser reads them and sends their text with the track.
import {
  detectSideFileKind,
  sideFileMaxLength,
  listSideFileStems,
  toStem,
  type SideFile,
} from '#contract/fields/side-files.ts'
import { looksLikeAudio } from '#contract/uploads.ts'
import type { FoundFile, UploadItem } from './upload-item.ts'

/** Larger files are ignored. A character takes up to four bytes in UTF-8. */
const maxBytes = sideFileMaxLength * 4

/** Returns the paths, without extension, of all dropped or listed files that may be recordings. */
export function getRecordingStems(
  found: readonly FoundFile[],
  list: readonly UploadItem[],
): ReadonlySet<string> {
  const paths = [...found, ...list].map(({ path }) => path)
  const isRecording = (path: string) => looksLikeAudio(path, 'application/octet-stream')
  return new Set(paths.filter(isRecording).map(toStem))
}

export function isSideFile({ file, path }: FoundFile, recordings: ReadonlySet<string>): boolean {
  const isText = detectSideFileKind(path) !== undefined && file.size > 0 && file.size <= maxBytes
  return isText && listSideFileStems(path).some((stem) => recordings.has(stem))
}

/** Reads the side files of a track, one of each kind. Skips files that can't be read any more. */
export async function readSideFiles(
  track: Pick<UploadItem, 'path'>,
  items: Iterable<UploadItem>,
  available: ReadonlyMap<string, File>,
): Promise<SideFile[]> {
  const stem = toStem(track.path)
  const texts = new Map<SideFile['kind'], SideFile>()
  for (const { id, stage, path } of items) {
    const kind = detectSideFileKind(path)
    const file = available.get(id)
    if (stage !== 'side' || !kind || !file || !listSideFileStems(path).includes(stem)) continue
    const text = await file.text().catch(() => null)
    if (text !== null) texts.set(kind, { kind, text: text.slice(0, sideFileMaxLength) })
  }
  return [...texts.values()]
}
