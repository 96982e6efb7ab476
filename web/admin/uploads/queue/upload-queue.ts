// The upload queue. It computes hashes ahead of the uploads, one file at a time, checks them for duplicates, and
// uploads three files at a time. Each file becomes exactly one track, even after a network failure or a reload.
import { findTracksByHash } from '#contract/admin/track-imports.ts'
import { ApiError, call } from '../../../base/api/api.ts'
import { errorText } from '../../../base/api/show-error.ts'
import { uploadTrackFile } from './upload-track-file.ts'
import { findFolderCover } from './folder-cover.ts'
import { createProgressCallbacks } from './progress-callbacks.ts'
import type { hashFile } from './hash-file.ts'
import { UploadFiles, logStorageFailure } from './upload-files.ts'
import { matchFiles } from './match-files.ts'
import { applyHash, planUploads } from './plan-uploads.ts'
import { getRetryAdvice, sleepUntilOnline, retryDelayMs } from './retry-advice.ts'
import { discardUpload, type SendFile } from './send-file.ts'
import { readSideFiles } from './side-files.ts'
import { createSpeedMeter } from './speed-meter.ts'
import { abortWhenStalled } from './abort-when-stalled.ts'
import type { UploadStorage } from './upload-storage.ts'
import {
  findFileProblem,
  newItems,
  type FoundFile,
  type UploadActivity,
  type UploadItem,
} from './upload-item.ts'

export interface QueueView {
  items: readonly UploadItem[]
  activities: ReadonlyMap<string, UploadActivity>
  /** Ids of waiting items whose files are not available since a reload. */
  missing: ReadonlySet<string>
  /** Number of missing files that can be read once the user grants permission. */
  lockedCount: number
  bytesPerSecond: number | null
  /** True if uploads have stopped because the session ended. They continue after the next sign-in. */
  isSignedOut: boolean
}

interface QueueParts {
  storage: UploadStorage
  hash: typeof hashFile
  send: SendFile
  onChange: () => void
}

export class UploadQueue {
  readonly #parts: QueueParts
  readonly #items = new Map<string, UploadItem>()
  readonly #files: UploadFiles
  readonly #checked = new Set<string>()
  readonly #activities = new Map<string, UploadActivity>()
  readonly #running = new Map<string, AbortController>()
  readonly #returned = new Map<string, FoundFile>()
  readonly #meter = createSpeedMeter()
  readonly #stopping = new AbortController()
  #isHashing = false
  #isChecking = false
  #isSignedOut = false

  constructor(parts: QueueParts) {
    this.#parts = parts
    this.#files = new UploadFiles(parts.storage, (id, changes) => this.#change(id, changes))
  }

  /** Loads the stored list after a reload. */
  async restore(): Promise<void> {
    for (const item of await this.#parts.storage.load()) this.#items.set(item.id, item)
    for (const item of this.#items.values()) {
      if (item.stage !== 'arrived' && item.stage !== 'left_out') await this.#files.restore(item)
    }
    this.#advance()
  }

  /** Adds files to the list. Returns how many were in the list already. */
  async add(found: readonly FoundFile[]): Promise<number> {
    const matches = matchFiles(found, [...this.#items.values()], this.#files.missing)
    for (const { item, found: one } of matches.returned) {
      if (item.sha256 !== null) this.#returned.set(item.id, one)
      else this.#files.attach(item.id, one)
    }
    this.#enter(matches.fresh)
    this.#advance()
    return matches.alreadyListedCount
  }

  /** Asks for permission to read files that were dropped before the reload. Browsers allow this only after a click. */
  async unlock(): Promise<void> {
    await this.#files.unlock((id) => this.#items.get(id))
    this.#advance()
  }

  pause(ids: readonly string[]): void {
    for (const id of ids) {
      if (this.#items.get(id)?.stage !== 'waiting') continue
      void this.#change(id, { isPaused: true })
      this.#running.get(id)?.abort()
    }
  }

  resume(ids: readonly string[]): void {
    for (const id of ids) {
      if (this.#items.get(id)?.isPaused) void this.#change(id, { isPaused: false })
    }
    this.#advance()
  }

  /** Aborts the uploads and removes the items. */
  async cancel(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      this.#running.get(id)?.abort()
      this.#files.release(id)
      const signed = this.#items.get(id)?.signed
      if (signed) void discardUpload(signed)
      this.#items.delete(id)
      this.#checked.delete(id)
    }
    this.#advance()
    await this.#parts.storage.remove(ids).catch(logStorageFailure)
  }

  /** Uploads a failed item again. If there is a file handle, the file is read from disk again. */
  async retry(id: string): Promise<void> {
    const item = this.#items.get(id)
    if (!item) return
    await this.#files.reopen(item)
    const file = this.#files.available.get(id)
    const defect = file && findFileProblem(file)
    this.#checked.delete(id)
    const fresh = { sha256: null, signed: null, isPaused: false }
    if (defect) await this.#change(id, { ...fresh, reason: defect })
    else await this.#change(id, { ...fresh, stage: 'waiting', reason: null })
    this.#advance()
  }

  sendAnyway(id: string): void {
    this.#checked.add(id)
    const changes = { known: null, allowsDuplicate: true, isPaused: false }
    void this.#change(id, { ...changes, stage: 'waiting' })
    this.#advance()
  }

  /** Uploads a duplicate as the new recording of the track that it duplicates. */
  replaceKnown(id: string): void {
    const replaces = this.#items.get(id)?.known?.id
    if (!replaces) return
    this.#checked.add(id)
    void this.#change(id, { replaces, allowsDuplicate: true, isPaused: false, stage: 'waiting' })
    this.#advance()
  }

  view(): QueueView {
    return {
      items: [...this.#items.values()],
      activities: new Map(this.#activities),
      missing: new Set(this.#files.missing),
      lockedCount: this.#files.lockedCount,
      bytesPerSecond: this.#meter.read(performance.now()),
      isSignedOut: this.#isSignedOut,
    }
  }

  /** Stops all uploads. The list stays stored, and is loaded again next time. */
  stop(): void {
    this.#stopping.abort()
    this.#parts.storage.close()
  }

  #change(id: string, changes: Partial<UploadItem>): Promise<void> {
    const item = this.#items.get(id)
    if (!item) return Promise.resolve()
    const changed = { ...item, ...changes }
    this.#items.set(id, changed)
    this.#parts.onChange()
    return this.#parts.storage.save([changed]).catch(logStorageFailure)
  }

  #show(id: string, activity: UploadActivity | null): void {
    if (activity) this.#activities.set(id, activity)
    else this.#activities.delete(id)
    this.#parts.onChange()
  }

  /** Starts every step that can start now. Must be called after every change. */
  #advance(): void {
    if (this.#stopping.signal.aborted || this.#isSignedOut) return
    const plan = planUploads({
      items: this.#items,
      readable: this.#files.available,
      checked: this.#checked,
      running: this.#running,
      returned: this.#returned,
      isHashing: this.#isHashing,
      isChecking: this.#isChecking,
    })
    for (const item of plan.upload) void this.#upload(item)
    if (plan.hash) void this.#hash(plan.hash)
    if (plan.check.length > 0) void this.#check(plan.check)
    this.#parts.onChange()
  }

  async #hash(item: UploadItem): Promise<void> {
    this.#isHashing = true
    const candidate = this.#returned.get(item.id)
    const file = candidate?.file ?? this.#files.available.get(item.id)
    try {
      if (!file) return
      const sha256 = await this.#parts.hash(file, (bytes) =>
        this.#show(item.id, { step: 'reading', bytes, bytesPerSecond: null }),
      )
      if (!this.#items.has(item.id)) return
      if (candidate) this.#attachReturned(item, candidate, sha256)
      else await this.#change(item.id, applyHash(this.#items.values(), item, sha256))
    } catch (error) {
      await this.#change(item.id, { stage: 'failed', reason: describeError(error) })
    } finally {
      this.#returned.delete(item.id)
      if (!this.#running.has(item.id)) this.#show(item.id, null)
      this.#isHashing = false
      this.#advance()
    }
  }

  /**
   * Handles a file that was dropped again after a reload. If its content is the same, its upload resumes. Otherwise the
   * file becomes a new item.
   */
  #attachReturned(item: UploadItem, found: FoundFile, sha256: string): void {
    if (item.sha256 === sha256) this.#files.attach(item.id, found)
    else this.#enter([found])
  }

  async #check(items: readonly UploadItem[]): Promise<void> {
    this.#isChecking = true
    let tries = 0
    // Don't check uploads that were started before. Such a file may already be a track whose response was lost, and
    // would be its own duplicate. The server recognizes the upload.
    for (const item of items) {
      if (item.signed !== null || item.allowsDuplicate) this.#checked.add(item.id)
    }
    const unknown = items.filter(({ id }) => !this.#checked.has(id))
    const { signal } = this.#stopping
    while (unknown.length > 0 && !signal.aborted) {
      try {
        await this.#markKnown(unknown)
        break
      } catch (error) {
        if (this.#stopIfSignedOut(error)) break
        await sleepUntilOnline(retryDelayMs(error, tries++), signal).catch(() => {})
      }
    }
    this.#isChecking = false
    this.#advance()
  }

  async #markKnown(unknown: readonly UploadItem[]): Promise<void> {
    const sha256 = [...new Set(unknown.flatMap((item) => item.sha256 ?? []))]
    const { data } = await abortWhenStalled(this.#stopping.signal, (signal) =>
      call(findTracksByHash, { body: { sha256 } }, { signal }),
    )
    const tracks = new Map(data.map((track) => [track.sha256, track]))
    for (const { id, sha256: hash } of unknown) {
      this.#checked.add(id)
      const track = tracks.get(hash ?? '')
      const known = track && { id: track.id, title: track.title }
      if (known) await this.#change(id, { stage: 'known', known })
    }
  }

  async #upload(item: UploadItem): Promise<void> {
    const file = this.#files.available.get(item.id)
    if (!file) return
    const controller = new AbortController()
    this.#running.set(item.id, controller)
    try {
      const track = await uploadTrackFile(item, file, {
        send: this.#parts.send,
        signal: AbortSignal.any([controller.signal, this.#stopping.signal]),
        ...createProgressCallbacks(this.#meter, (activity) => this.#show(item.id, activity)),
        onSigned: (signed) => this.#change(item.id, { signed }),
        sideFiles: () => readSideFiles(item, this.#items.values(), this.#files.available),
        cover: this.#files.available.get(
          findFolderCover(item, [...this.#items.values()])?.id ?? '',
        ),
      })
      await this.#finish(item.id, track.id)
    } catch (error) {
      if (!controller.signal.aborted) await this.#fail(item.id, error)
    } finally {
      this.#running.delete(item.id)
      this.#show(item.id, null)
      this.#advance()
    }
  }

  /** Marks an item as done and forgets its file. */
  async #finish(id: string, trackId: string): Promise<void> {
    await this.#change(id, { stage: 'arrived', trackId, known: null, signed: null })
    this.#files.release(id)
    await this.#parts.storage.deleteFile(id).catch(logStorageFailure)
  }

  async #fail(id: string, error: unknown): Promise<void> {
    if (this.#stopping.signal.aborted || this.#stopIfSignedOut(error)) return
    const known = error instanceof ApiError && error.code === 'track_exists' && readDuplicate(error)
    if (known) await this.#change(id, { stage: 'known', known })
    else await this.#change(id, { stage: 'failed', reason: describeError(error) })
  }

  /** Stops all uploads if the session has ended. Returns whether it has. No file is marked as failed then. */
  #stopIfSignedOut(error: unknown): boolean {
    if (getRetryAdvice(error, 'signing') !== 'stop') return false
    this.#isSignedOut = true
    for (const controller of this.#running.values()) controller.abort()
    this.#parts.onChange()
    return true
  }

  #enter(found: readonly FoundFile[]): void {
    const fresh = newItems(found, [...this.#items.values()])
    for (const [item, { file }] of fresh) {
      this.#items.set(item.id, item)
      if (item.stage !== 'left_out') this.#files.available.set(item.id, file)
    }
    void this.#parts.storage.save(fresh.map(([item]) => item)).catch(logStorageFailure)
    void this.#storeFiles(fresh.filter(([item]) => item.stage !== 'left_out'))
  }

  async #storeFiles(fresh: readonly [UploadItem, FoundFile][]): Promise<void> {
    for (const [item, found] of fresh) {
      if (this.#stopping.signal.aborted) return
      if (this.#files.available.has(item.id)) await this.#files.store(item.id, found)
    }
  }
}

function readDuplicate({ details }: ApiError): UploadItem['known'] {
  const { id, title, by } = (details ?? {}) as { id?: unknown; title?: unknown; by?: unknown }
  if (typeof id !== 'string' || typeof title !== 'string') return null
  return { id, title, by: by === 'source' || by === 'sound' ? by : 'recording' }
}

function describeError(error: unknown): string {
  if (error instanceof ApiError) return error.message
  return error instanceof Error && error.name === 'UnreadableFileError'
    ? error.message
    : errorText(error)
}
