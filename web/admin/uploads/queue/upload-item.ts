// Types and rules for one dropped file, until a track is created from it. An UploadItem is stored and survives a
// reload. An UploadActivity is what currently happens with the file.
import { batchMaxFiles } from '#contract/admin/track-imports.ts'
import { getFolder, isCover, findOnlyPictures } from '#contract/fields/dropped-folders.ts'
import { looksLikeAudio, uploadMaxBytes } from '#contract/uploads.ts'
import type { SignedUpload } from './send-file.ts'
import { isSideFile, getRecordingStems } from './side-files.ts'

/**
 * `waiting`: not uploaded yet. `known`: a duplicate of a track or of another dropped file. `arrived`: the track exists.
 * `left_out`: skipped, because it is not music. `cover`: an image that is the cover of the tracks in its folder.
 * `side`: a text file that belongs to the recording of the same name.
 */
type UploadStage = 'waiting' | 'known' | 'failed' | 'arrived' | 'left_out' | 'cover' | 'side'

export interface UploadItem {
  id: string
  /** Id of the batch of files that were dropped together. */
  batch: string
  /** Position in the list. */
  position: number
  name: string
  /** Path within the dropped folder, such as `album/01.wav`. */
  path: string
  byteSize: number
  modifiedAtMs: number
  mime: string
  stage: UploadStage
  isPaused: boolean
  /** SHA-256 in hex. Null until it is computed. */
  sha256: string | null
  signed: SignedUpload | null
  /** What the file duplicates: a track, or another dropped file if `id` is null. */
  known: { id: string | null; title: string; by?: 'recording' | 'source' | 'sound' } | null
  /** True if the user chose to upload the file although it is a duplicate. */
  allowsDuplicate: boolean
  /** Id of the track that gets this file as its new recording. Undefined in a list stored by an earlier version. */
  replaces?: string | null
  trackId: string | null
  /** Why the file failed or was skipped, in words for the user. */
  reason: string | null
}

/** What currently happens with a file. */
export interface UploadActivity {
  step: 'reading' | 'sending' | 'creating' | 'retrying'
  /** Bytes hashed or uploaded so far. */
  bytes: number
  bytesPerSecond: number | null
}

/** A dropped or selected file. */
export interface FoundFile {
  file: File
  path: string
  /** Handle to reopen the file after a reload, if the browser provides one. */
  handle?: FileSystemFileHandle
}

/** Returns why the file is skipped, or undefined if it is not skipped. */
export function findSkipReason({ file }: Pick<FoundFile, 'file'>): string | undefined {
  if (file.name.startsWith('.')) return 'Hidden system file'
  if (/\.zip$/i.test(file.name)) return 'To import a zip file, go to Library, Import and export'
  if (!looksLikeAudio(file.name, file.type || 'application/octet-stream'))
    return 'Not an audio file'
  return undefined
}

/** Returns why the file can't be uploaded, or undefined if it can. */
export function findFileProblem({ size }: Pick<File, 'size'>): string | undefined {
  if (size === 0) return 'The file is empty.'
  if (size > uploadMaxBytes.audio) return 'The file is larger than 2 GB.'
  return undefined
}

/** Creates items for new files, at the end of the list. Skips files beyond the maximum length of the list. */
export function newItems(
  found: readonly FoundFile[],
  list: readonly UploadItem[],
): [UploadItem, FoundFile][] {
  const batch = list.at(-1)?.batch ?? crypto.randomUUID()
  const last = Math.max(0, ...list.map((item) => item.position))
  const room = Math.max(0, batchMaxFiles - list.length)
  const recordings = getRecordingStems(found, list)
  const covers = findOnlyImages(found, recordings)
  return found.map((one, index) => {
    const item = newItem(one, { batch, position: last + 1 + index }, recordings)
    if (covers.has(one)) return [{ ...item, stage: 'cover', reason: null }, one]
    if (isSideFile(one, recordings)) return [{ ...item, stage: 'side', reason: null }, one]
    if (index < room || item.stage !== 'waiting') return [item, one]
    const reason = `More than ${batchMaxFiles.toLocaleString('en')} files in one upload. Drop this file again later.`
    return [{ ...item, stage: 'left_out', reason }, one]
  })
}

/** Returns each image that is the only one in a folder with recordings. Such an image is a cover whatever its name. */
function findOnlyImages(
  found: readonly FoundFile[],
  recordings: ReadonlySet<string>,
): ReadonlySet<FoundFile> {
  const folders = new Set([...recordings].map((stem) => getFolder(stem)))
  const pictures = [...findOnlyPictures(found, recordings)]
  return new Set(
    pictures.flatMap(([folder, picture]) =>
      folders.has(folder.toLowerCase()) && picture.file.size > 0 ? [picture] : [],
    ),
  )
}

export function newItem(
  found: FoundFile,
  place: Pick<UploadItem, 'batch' | 'position'>,
  /** Paths of recordings without their extensions. */
  recordings: ReadonlySet<string> = new Set(),
): UploadItem {
  const { file, path } = found
  const isPicture = file.size > 0 && isCover(path, recordings)
  const leftOut = isPicture ? undefined : findSkipReason(found)
  const problem = leftOut ? undefined : findFileProblem(file)
  return {
    ...place,
    id: crypto.randomUUID(),
    name: file.name,
    path,
    byteSize: file.size,
    modifiedAtMs: file.lastModified,
    mime: file.type || 'application/octet-stream',
    stage: isPicture ? 'cover' : leftOut ? 'left_out' : problem ? 'failed' : 'waiting',
    isPaused: false,
    sha256: null,
    signed: null,
    known: null,
    allowsDuplicate: false,
    trackId: null,
    reason: leftOut ?? problem ?? null,
  }
}
