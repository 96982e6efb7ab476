// The upload queue: hashes files ahead one at a time, checks hashes for duplicates in batches, uploads three files
// concurrently. Each file becomes exactly one track, even if the network drops or the page is reloaded.
import { findTracksByHash, hashesPerQuestion } from '#contract/admin/track-imports.ts'
import { ApiError, call } from '../../../base/api/api.ts'
import { errorText } from '../../../base/api/show-error.ts'
import { bringFile } from './bring-file.ts'
import { coverFor } from './folder-cover.ts'
import { followFile } from './follow-file.ts'
import type { hashFile } from './hash-file.ts'
import { keepFiles, noteStorageFailure } from './kept-files.ts'
import { matchFound } from './match-found.ts'
import { adviseOn, sleepUntilOnline, waitBeforeTryMs } from './retry-advice.ts'
import { giveUpUpload, type SendFile } from './send-file.ts'
import { createSpeedMeter } from './speed-meter.ts'
import { unlessSilent } from './unless-silent.ts'
import type { UploadArchive } from './upload-archive.ts'
import {
  defectOf,
  newItems,
  type FoundFile,
  type UploadActivity,
  type UploadItem,
} from './upload-item.ts'

const atOnce = 3
/** How many files to hash ahead of their upload, so uploads don't wait for hashing. */
const readAhead = 40

export interface QueueView {
  items: readonly UploadItem[]
  activities: ReadonlyMap<string, UploadActivity>
  /** Ids of waiting items whose files the browser lost in a reload. */
  lacking: ReadonlySet<string>
  /** How many of the lacking files can be read again once the user grants permission. */
  lockedCount: number
  bytesPerSecond: number | null
  /** The session has ended: uploads are stopped until the next sign-in. */
  isSignedOut: boolean
}

export interface UploadQueue {
  /** Restores the list from before the reload. */
  restore: () => Promise<void>
  /** Returns how many of the files were already in the list. */
  add: (found: readonly FoundFile[]) => Promise<number>
  /** Requests permission to read files dropped before the reload. Browsers require a user gesture for this. */
  unlock: () => Promise<void>
  pause: (ids: readonly string[]) => void
  resume: (ids: readonly string[]) => void
  /** Aborts the uploads and removes the items. */
  cancel: (ids: readonly string[]) => Promise<void>
  /** Starts over. Reads the file from the disk again where the browser has a handle to it. */
  retry: (id: string) => Promise<void>
  sendAnyway: (id: string) => void
  view: () => QueueView
  /** Stops all uploads. The stored list stays for the next visit. */
  stop: () => void
}

interface QueueParts {
  archive: UploadArchive
  hash: typeof hashFile
  send: SendFile
  onChange: () => void
}

export function createUploadQueue(parts: QueueParts): UploadQueue {
  const { archive, onChange } = parts
  const items = new Map<string, UploadItem>()
  const { files, lacking, locked, ...keeper } = keepFiles(archive, change)
  /** Ids of items checked for duplicates, or exempt from the check. */
  const checked = new Set<string>()
  const activities = new Map<string, UploadActivity>()
  const running = new Map<string, AbortController>()
  const returned = new Map<string, FoundFile>()
  const meter = createSpeedMeter()
  const stopping = new AbortController()
  let isReading = false
  let isAsking = false
  let isSignedOut = false

  function change(id: string, changes: Partial<UploadItem>): Promise<void> {
    const item = items.get(id)
    if (!item) return Promise.resolve()
    const changed = { ...item, ...changes }
    items.set(id, changed)
    onChange()
    return archive.save([changed]).catch(noteStorageFailure)
  }

  function act(id: string, activity: UploadActivity | null): void {
    if (activity) activities.set(id, activity)
    else activities.delete(id)
    onChange()
  }

  const isWanted = (item: UploadItem) =>
    item.stage === 'waiting' && !item.isPaused && !running.has(item.id)
  const canSend = (item: UploadItem) =>
    isWanted(item) && files.has(item.id) && item.sha256 !== null && checked.has(item.id)

  function pump(): void {
    if (stopping.signal.aborted || isSignedOut) return
    const all = [...items.values()]
    for (const item of all) {
      if (running.size >= atOnce) break
      if (canSend(item)) void bring(item)
    }
    if (!isReading) {
      const ready = all.filter((item) => isWanted(item) && item.sha256 !== null).length
      const next = all.find(
        (item) =>
          returned.has(item.id) || (isWanted(item) && files.has(item.id) && item.sha256 === null),
      )
      if (next && (ready < readAhead || returned.has(next.id))) void readOne(next)
    }
    if (!isAsking) {
      const unknown = all.filter(
        (item) => isWanted(item) && item.sha256 !== null && !checked.has(item.id),
      )
      if (unknown.length > 0) void ask(unknown.slice(0, hashesPerQuestion))
    }
    onChange()
  }

  async function readOne(item: UploadItem): Promise<void> {
    isReading = true
    const candidate = returned.get(item.id)
    const file = candidate?.file ?? files.get(item.id)
    try {
      if (!file) return
      const sha256 = await parts.hash(file, (bytes) =>
        act(item.id, { step: 'reading', bytes, bytesPerSecond: null }),
      )
      if (!items.has(item.id)) return
      if (candidate) takeBack(item, candidate, sha256)
      else await noteHash(item, sha256)
    } catch (error) {
      await change(item.id, { stage: 'failed', reason: errorWords(error) })
    } finally {
      returned.delete(item.id)
      if (!running.has(item.id)) act(item.id, null)
      isReading = false
      pump()
    }
  }

  async function noteHash(item: UploadItem, sha256: string): Promise<void> {
    const twin = [...items.values()].find(
      (other) =>
        other.id !== item.id &&
        other.sha256 === sha256 &&
        (other.stage === 'waiting' || other.stage === 'arrived'),
    )
    if (twin && !item.allowsDuplicate) {
      const known = { id: twin.trackId, title: twin.name }
      await change(item.id, { sha256, stage: 'known', known })
    } else await change(item.id, { sha256 })
  }

  /** Handles a file dropped again after a reload: resumes if the content is the same, otherwise adds a new item. */
  function takeBack(item: UploadItem, found: FoundFile, sha256: string): void {
    if (item.sha256 === sha256) {
      keeper.give(item.id, found)
    } else enter([found])
  }

  async function ask(unknown: readonly UploadItem[]): Promise<void> {
    isAsking = true
    let tries = 0
    // Skip started uploads: one may already be a track, created by a request whose response was lost. The server
    // recognizes it by its upload.
    const begun = unknown.filter((item) => item.signed !== null || item.allowsDuplicate)
    for (const { id } of begun) checked.add(id)
    const rest = unknown.filter(({ id }) => !checked.has(id))
    while (!stopping.signal.aborted) {
      try {
        if (rest.length > 0) await markKnown(rest)
        break
      } catch (error) {
        if (stopAt(error)) break
        await sleepUntilOnline(waitBeforeTryMs(error, tries++), stopping.signal).catch(() => {})
      }
    }
    isAsking = false
    pump()
  }

  async function markKnown(unknown: readonly UploadItem[]): Promise<void> {
    const sha256 = [...new Set(unknown.flatMap((item) => item.sha256 ?? []))]
    const { data } = await unlessSilent(stopping.signal, (signal) =>
      call(findTracksByHash, { body: { sha256 } }, { signal }),
    )
    const tracks = new Map(data.map((track) => [track.sha256, track]))
    for (const { id, sha256: hash } of unknown) {
      checked.add(id)
      const track = tracks.get(hash ?? '')
      if (track) await change(id, { stage: 'known', known: { id: track.id, title: track.title } })
    }
  }

  async function bring(item: UploadItem): Promise<void> {
    const file = files.get(item.id)
    if (!file) return
    const controller = new AbortController()
    running.set(item.id, controller)
    try {
      const track = await bringFile(item, file, {
        send: parts.send,
        signal: AbortSignal.any([controller.signal, stopping.signal]),
        ...followFile(meter, (activity) => act(item.id, activity)),
        onSigned: (signed) => change(item.id, { signed }),
        cover: files.get(coverFor(item, [...items.values()])?.id ?? ''),
      })
      await finish(item.id, { stage: 'arrived', trackId: track.id, known: null })
    } catch (error) {
      await noteFailure(item.id, error, controller.signal.aborted)
    } finally {
      running.delete(item.id)
      act(item.id, null)
      pump()
    }
  }

  /** Ends an item and releases its file. */
  async function finish(id: string, changes: Partial<UploadItem>): Promise<void> {
    await change(id, { ...changes, signed: null })
    keeper.release(id)
    await archive.forgetFile(id).catch(noteStorageFailure)
  }

  async function noteFailure(id: string, error: unknown, wasGivenUp: boolean): Promise<void> {
    if (wasGivenUp || stopping.signal.aborted || stopAt(error)) return
    const known = error instanceof ApiError && error.code === 'track_exists' && trackOf(error)
    if (known) await change(id, { stage: 'known', known })
    else await change(id, { stage: 'failed', reason: errorWords(error) })
  }

  /** Stops all uploads if the session has ended. The files themselves have not failed. */
  function stopAt(error: unknown): boolean {
    if (adviseOn(error, 'signing') !== 'stop') return false
    isSignedOut = true
    for (const controller of running.values()) controller.abort()
    onChange()
    return true
  }

  function enter(found: readonly FoundFile[]): void {
    const fresh = newItems(found, [...items.values()])
    for (const [item, { file }] of fresh) {
      items.set(item.id, item)
      if (item.stage !== 'left_out') files.set(item.id, file)
    }
    void archive.save(fresh.map(([item]) => item)).catch(noteStorageFailure)
    void keepAll(fresh.filter(([item]) => item.stage !== 'left_out'))
  }

  async function keepAll(fresh: readonly [UploadItem, FoundFile][]): Promise<void> {
    for (const [item, found] of fresh) {
      if (stopping.signal.aborted) return
      if (files.has(item.id)) await keeper.keep(item.id, found)
    }
  }

  return {
    async restore() {
      for (const item of await archive.load()) items.set(item.id, item)
      for (const item of items.values()) {
        if (item.stage !== 'arrived' && item.stage !== 'left_out') await keeper.findAgain(item)
      }
      pump()
    },
    async add(found) {
      const matches = matchFound(found, [...items.values()], lacking)
      for (const { item, found: one } of matches.returned) {
        if (item.sha256 !== null) returned.set(item.id, one)
        else keeper.give(item.id, one)
      }
      enter(matches.fresh)
      pump()
      return matches.alreadyHereCount
    },
    async unlock() {
      await keeper.unlock((id) => items.get(id))
      pump()
    },
    pause(ids) {
      for (const id of ids) {
        if (items.get(id)?.stage !== 'waiting') continue
        void change(id, { isPaused: true })
        running.get(id)?.abort()
      }
    },
    resume(ids) {
      for (const id of ids) if (items.get(id)?.isPaused) void change(id, { isPaused: false })
      pump()
    },
    async cancel(ids) {
      for (const id of ids) {
        running.get(id)?.abort()
        keeper.release(id)
        const signed = items.get(id)?.signed
        if (signed) void giveUpUpload(signed)
        items.delete(id)
        checked.delete(id)
      }
      pump()
      await archive.remove(ids).catch(noteStorageFailure)
    },
    async retry(id) {
      const item = items.get(id)
      if (!item) return
      await keeper.readAgain(item)
      const file = files.get(id)
      const defect = file && defectOf(file)
      checked.delete(id)
      const fresh = { sha256: null, signed: null, isPaused: false }
      if (defect) await change(id, { ...fresh, reason: defect })
      else await change(id, { ...fresh, stage: 'waiting', reason: null })
      pump()
    },
    sendAnyway(id) {
      checked.add(id)
      void change(id, { stage: 'waiting', known: null, allowsDuplicate: true, isPaused: false })
      pump()
    },
    view: () => ({
      items: [...items.values()],
      activities: new Map(activities),
      lacking: new Set(lacking),
      lockedCount: locked.size,
      bytesPerSecond: meter.read(performance.now()),
      isSignedOut,
    }),
    stop() {
      stopping.abort()
      archive.close()
    },
  }
}

function trackOf({ details }: ApiError): UploadItem['known'] {
  const { id, title } = (details ?? {}) as { id?: unknown; title?: unknown }
  return typeof id === 'string' && typeof title === 'string' ? { id, title } : null
}

function errorWords(error: unknown): string {
  if (error instanceof ApiError) return error.message
  return error instanceof Error && error.name === 'UnreadableFileError'
    ? error.message
    : errorText(error)
}
