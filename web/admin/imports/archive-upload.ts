// Uploads an archive, or a folder packed into an archive, and starts its import on the server. The upload continues
// while other screens are open, and after a reload.
import { create } from 'zustand'
import { startImport } from '#contract/admin/imports.ts'
import { createSignedUpload } from '#contract/uploads.ts'
import { ApiError, call } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { validateUploadFile } from '../../base/upload/refuse-wrong-file.ts'
import { collectFromHandle } from '../uploads/queue/collect-files.ts'
import { maxCopiedBytes, getFilePermission } from '../uploads/queue/upload-files.ts'
import { discardUpload, sendFile, type SignedUpload } from '../uploads/queue/send-file.ts'
import type { FoundFile } from '../uploads/queue/upload-item.ts'
import { openArchiveStore, type ArchiveStore, type StoredUpload } from './archive-store.ts'
import { zipFolder } from './zip-folder.ts'

/** What to upload: a file, or the files of a folder. `handle` reopens the file or folder after a reload. */
export type ArchiveSource = { handle: FileSystemHandle | null } & (
  | { file: File }
  | { folder: string; found: readonly FoundFile[] }
)

/** What the user must do to resume the upload: grant permission, or select the same file or folder again. */
export type Needs = 'permission' | 'file' | 'folder'

interface ArchiveUpload {
  /** File name of the current upload. Null if nothing is being uploaded. */
  name: string | null
  step: 'packing' | 'sending'
  /** Progress of the current step, 0 to 1. */
  share: number
  /** An upload that was interrupted by a reload, and what the user must do to resume it. */
  interrupted: { name: string; needs: Needs } | null
  /** Error of the most recent upload. */
  problem: string | null
}

const initialState: ArchiveUpload = {
  name: null,
  step: 'sending',
  share: 0,
  interrupted: null,
  problem: null,
}

export const useArchiveUpload = create<ArchiveUpload>(() => initialState)

const set = (changes: Partial<ArchiveUpload>) => useArchiveUpload.setState(changes)

let sending: AbortController | null = null

/** Uploads the archive and starts its import. Resolves to false if the upload fails or is canceled. */
export function sendArchive(userId: string, source: ArchiveSource): Promise<boolean> {
  return withExclusiveLock(userId, async (store, signal) => {
    const file = await getFile(source, signal)
    const stored = await store?.load()
    const known = stored && isSame(stored, file) ? stored.signed : null
    const isFolder = 'folder' in source
    await uploadAndImport(store, { file, handle: source.handle, isFolder }, known, signal)
  })
}

/** Resumes an upload that a reload interrupted. If `mayPrompt` is true, the browser may ask the user for permission. */
export async function resumeArchive(userId: string, mayPrompt = false): Promise<boolean> {
  if (sending) return false
  const store = await openArchiveStore(userId)
  const stored = await store?.load()
  store?.close()
  if (!stored) return false
  const { name, handle, copy, signed } = stored
  if (!copy && (!handle || !(await isReadable(handle, mayPrompt)))) {
    set({ interrupted: { name, needs: getNeeds(stored) } })
    return false
  }
  return withExclusiveLock(userId, async (own, signal) => {
    set({ name })
    const file = copy ?? (await readHandle(handle!, signal).catch(nullIfUnreadable))
    if (!file || !isSame(stored, file)) {
      signal.throwIfAborted()
      throw new ApiError(
        'changed_meanwhile',
        409,
        `“${name}” was changed or removed. Choose it again.`,
      )
    }
    await uploadAndImport(own, { ...stored, file }, signed, signal)
  })
}

const isReadable = async (handle: FileSystemHandle, mayPrompt: boolean) =>
  (await getFilePermission(handle, mayPrompt ? 'request' : 'query')) === 'granted'

function getNeeds({ copy, handle, isFolder }: StoredUpload): Needs {
  if (copy || handle) return 'permission'
  return isFolder ? 'folder' : 'file'
}

/** Cancels the running upload and deletes the parts that are on the server. */
export function cancelArchive(): void {
  sending?.abort()
}

/** Deletes an interrupted upload, here and on the server. */
export async function discardArchive(userId: string): Promise<void> {
  const store = await openArchiveStore(userId)
  const stored = await store?.load()
  if (stored) await discardUpload(stored.signed)
  await store?.remove()
  store?.close()
  set({ interrupted: null, problem: null })
}

type Work = (store: ArchiveStore | null, signal: AbortSignal) => Promise<void>

/** Runs `work` unless an archive upload is already running in this or another window of the browser. */
async function withExclusiveLock(userId: string, work: Work): Promise<boolean> {
  if (sending) return false
  const own = new AbortController()
  sending = own
  const run = () => runUpload(userId, work, own)
  try {
    if (!('locks' in navigator)) return await run()
    return await navigator.locks.request(
      `velour-archive-${userId}`,
      { ifAvailable: true },
      (lock) => (lock ? run() : false),
    )
  } finally {
    own.abort()
    sending = null
  }
}

async function runUpload(userId: string, work: Work, own: AbortController): Promise<boolean> {
  set({ interrupted: null, problem: null, share: 0 })
  const store = await openArchiveStore(userId)
  try {
    await work(store, own.signal)
    await store?.remove()
    set(initialState)
    return true
  } catch (error) {
    if (own.signal.aborted)
      await store?.load().then((stored) => stored && discardUpload(stored.signed))
    if (own.signal.aborted || !canResume(error)) await store?.remove()
    set({ name: null, problem: own.signal.aborted ? null : errorText(error) })
    const stored = await store?.load()
    if (stored) set({ interrupted: { name: stored.name, needs: getNeeds(stored) } })
    return false
  } finally {
    store?.close()
  }
}

/**
 * Returns true for a network failure, an expired session or a busy server. The server keeps the uploaded parts then.
 */
const canResume = (error: unknown) =>
  !(error instanceof ApiError) || [0, 401, 408, 429].includes(error.status) || error.status >= 500

async function getFile(source: ArchiveSource, signal: AbortSignal): Promise<File> {
  if ('file' in source) {
    set({ name: source.file.name, step: 'sending' })
    return source.file
  }
  return pack(source.found, source.folder, signal)
}

async function readHandle(handle: FileSystemHandle, signal: AbortSignal): Promise<File> {
  if (handle.kind === 'file') return (handle as FileSystemFileHandle).getFile()
  return pack(await collectFromHandle(handle), handle.name, signal)
}

function pack(found: readonly FoundFile[], folder: string, signal: AbortSignal): Promise<File> {
  const name = `${folder}.zip`
  set({ name, step: 'packing', share: 0 })
  return zipFolder(found, name, { signal, onProgress: (share) => set({ share }) })
}

function nullIfUnreadable(error: unknown): null {
  if (error instanceof DOMException && error.name !== 'AbortError') return null
  throw error
}

const isSame = ({ name, byteSize, modifiedAtMs }: StoredUpload, file: File) =>
  name === file.name && byteSize === file.size && modifiedAtMs === file.lastModified

type GivenFile = { file: File } & Pick<StoredUpload, 'handle' | 'isFolder'>

async function uploadAndImport(
  store: ArchiveStore | null,
  given: GivenFile,
  known: SignedUpload | null,
  signal: AbortSignal,
): Promise<void> {
  const { file } = given
  await validateUploadFile(file, 'archives')
  const signed = known ?? (await sign(file, signal))
  if (!known) await storeUpload(store, given, signed)
  set({ step: 'sending', share: 0 })
  const onProgress = (bytes: number) => set({ share: bytes / file.size })
  try {
    await sendFile(file, signed, { sha256: null, onProgress, signal })
  } catch (error) {
    // The server has discarded the upload in the meantime, so start a new one.
    if (!known || !isUploadMissing(error)) throw error
    await store?.remove()
    return uploadAndImport(store, given, null, signal)
  }
  await call(startImport, { body: { archive_path: signed.path } })
}

const isUploadMissing = (error: unknown) =>
  error instanceof ApiError && ['upload_not_found', 'upload_expired'].includes(error.code)

function sign({ name: filename, size }: File, signal: AbortSignal): Promise<SignedUpload> {
  const body = { bucket: 'archives', filename, mime: 'application/zip', size } as const
  return call(createSignedUpload, { body }, { signal })
}

/**
 * Stores what is needed to resume the upload. A file without a handle is copied. If it is too large for that, the user
 * has to select it again after a reload.
 */
async function storeUpload(
  store: ArchiveStore | null,
  { file, handle, isFolder }: GivenFile,
  { path, uploadUrl, uploadToken }: SignedUpload,
): Promise<void> {
  const { name, size: byteSize, lastModified: modifiedAtMs } = file
  const signed = { path, uploadUrl, uploadToken }
  const stored = { name, byteSize, modifiedAtMs, signed, handle, isFolder, copy: null }
  const copy = handle === null && byteSize <= maxCopiedBytes ? file : null
  await store?.save({ ...stored, copy }).catch(() => store.save(stored))
}
