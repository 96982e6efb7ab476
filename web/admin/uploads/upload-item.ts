// One file of a drop, from the moment it was dropped until it is a track. What is here survives a reload; what only
// matters while it moves is its activity.
import { batchMaxFiles } from '#contract/track-imports.ts'
import { looksLikeAudio, uploadMaxBytes } from '#contract/uploads.ts'
import { isFolderCover } from './folder-cover.ts'
import type { SignedUpload } from './send-file.ts'

/**
 * `waiting`: has still to arrive. `known`: the recording is in the library, or twice in the drop. `left_out`: never
 * wanted, no music. `cover`: a picture that its folder's tracks are sent with.
 */
type UploadStage = 'waiting' | 'known' | 'failed' | 'arrived' | 'left_out' | 'cover'

export interface UploadItem {
  id: string
  /** The drop that it belongs to. */
  batch: string
  /** Place in the list. */
  position: number
  name: string
  /** With the folders it was dropped in: `album/01.wav`. */
  path: string
  byteSize: number
  modifiedAtMs: number
  mime: string
  stage: UploadStage
  isPaused: boolean
  /** Hex, once its content was read. */
  sha256: string | null
  signed: SignedUpload | null
  /** What has the same content: a track, or (without an id) another file of the drop. */
  known: { id: string | null; title: string } | null
  /** Wanted although its content is known. */
  allowsDuplicate: boolean
  trackId: string | null
  /** Why it failed or was left out, in words. */
  reason: string | null
}

/** What happens with a file right now. */
export interface UploadActivity {
  step: 'reading' | 'sending' | 'creating' | 'retrying'
  /** Of the file, read or sent. */
  bytes: number
  bytesPerSecond: number | null
}

/** A file as it was dropped or chosen. */
export interface FoundFile {
  file: File
  path: string
  /** Where the browser can find it again after a reload. */
  handle?: FileSystemFileHandle
}

/** Why this file is not for us. Undefined: it is. */
export function problemOf({ file }: Pick<FoundFile, 'file'>): string | undefined {
  if (file.name.startsWith('.')) return 'A hidden file of the system'
  if (!looksLikeAudio(file.name, file.type || 'application/octet-stream'))
    return 'Not an audio file'
  return undefined
}

/** Why it cannot be sent at all. */
export function defectOf({ size }: Pick<File, 'size'>): string | undefined {
  if (size === 0) return 'The file is empty.'
  if (size > uploadMaxBytes.audio) return 'The file is larger than 2 GB.'
  return undefined
}

/** Items for new files, behind those in the list; what goes beyond the limit of a list is left out. */
export function newItems(
  found: readonly FoundFile[],
  list: readonly UploadItem[],
): [UploadItem, FoundFile][] {
  const batch = list.at(-1)?.batch ?? crypto.randomUUID()
  const last = Math.max(0, ...list.map((item) => item.position))
  const room = Math.max(0, batchMaxFiles - list.length)
  return found.map((one, index) => {
    const item = newItem(one, { batch, position: last + 1 + index })
    if (index < room || item.stage !== 'waiting') return [item, one]
    const reason = `More than ${batchMaxFiles.toLocaleString('en')} files at once. Drop it again later.`
    return [{ ...item, stage: 'left_out', reason }, one]
  })
}

export function newItem(
  found: FoundFile,
  place: Pick<UploadItem, 'batch' | 'position'>,
): UploadItem {
  const { file, path } = found
  const isCover = file.size > 0 && isFolderCover(path)
  const leftOut = isCover ? undefined : problemOf(found)
  const defect = leftOut ? undefined : defectOf(file)
  return {
    ...place,
    id: crypto.randomUUID(),
    name: file.name,
    path,
    byteSize: file.size,
    modifiedAtMs: file.lastModified,
    mime: file.type || 'application/octet-stream',
    stage: isCover ? 'cover' : leftOut ? 'left_out' : defect ? 'failed' : 'waiting',
    isPaused: false,
    sha256: null,
    signed: null,
    known: null,
    allowsDuplicate: false,
    trackId: null,
    reason: leftOut ?? defect ?? null,
  }
}
