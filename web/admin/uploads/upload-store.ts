// The one queue of this browser: it starts with the back office and goes on whatever screen is shown. Of several
// windows one uploads; when it closes, the next takes over.
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { create } from 'zustand'
import { sessionQuery, useSession } from '../../app/session.ts'
import { hashFile } from './hash-file.ts'
import { sendFile } from './send-file.ts'
import { openUploadArchive } from './upload-archive.ts'
import type { FoundFile } from './upload-item.ts'
import { totalsOf } from './upload-totals.ts'
import { createUploadQueue, type QueueView, type UploadQueue } from './upload-queue.ts'

interface UploadState extends QueueView {
  /** `elsewhere`: another window of this browser uploads. */
  phase: 'starting' | 'ready' | 'elsewhere'
}

const nothing: UploadState = {
  phase: 'starting',
  items: [],
  activities: new Map(),
  lacking: new Set(),
  lockedCount: 0,
  bytesPerSecond: null,
  isSignedOut: false,
}

export const useUploadStore = create<UploadState>(() => nothing)

/** How often at most the screens are told. */
const showEveryMs = 200

let queue: UploadQueue | undefined
let ownerId: string | undefined
let leaving = new AbortController()
let timer: ReturnType<typeof setTimeout> | undefined
let whenReady = waitForQueue()

/** Runs the uploads of whoever is signed in. For the frame of the back office; they go on when it is left. */
export function useUploads(): void {
  const queryClient = useQueryClient()
  const userId = useSession().user?.id
  useEffect(() => {
    if (userId) startUploads(userId, queryClient)
  }, [userId, queryClient])
}

/** Takes up what this person had begun. Again for the same person it changes nothing. */
function startUploads(userId: string, queryClient: QueryClient): void {
  const wasSignedOut = useUploadStore.getState().isSignedOut
  if (ownerId === userId && !wasSignedOut) return
  stopUploads()
  ownerId = userId
  const { signal } = leaving
  const lead = () => runQueue(userId, signal)
  stopWithSession(userId, queryClient, signal)
  if (!('locks' in navigator)) {
    void lead()
    return
  }
  const name = `velour-uploads-${userId}`
  void navigator.locks
    .query()
    .then(({ held = [] }) => {
      if (!signal.aborted && held.some((lock) => lock.name === name)) show({ phase: 'elsewhere' })
      return navigator.locks.request(name, { signal }, lead)
    })
    .catch((error: unknown) => {
      // The window left before it was its turn.
      if (!signal.aborted) throw error
    })
}

/** Resolves when it was told to stop: so long the lock is held. */
async function runQueue(userId: string, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const archive = await openUploadArchive(userId)
  const own = createUploadQueue({
    archive,
    hash: hashFile,
    send: sendFile,
    onChange: () => {
      timer ??= setTimeout(() => {
        timer = undefined
        if (!signal.aborted) useUploadStore.setState(own.view())
      }, showEveryMs)
    },
  })
  if (signal.aborted) return own.stop()
  queue = own
  warnBeforeLeaving(own, signal)
  await own.restore()
  show({ phase: 'ready', ...own.view() })
  whenReady.resolve(own)
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve())
    if (signal.aborted) resolve()
  })
  own.stop()
}

/** Closing the window stops what is on its way; what the browser kept goes on at the next visit. */
function warnBeforeLeaving(own: UploadQueue, signal: AbortSignal): void {
  const warn = (event: BeforeUnloadEvent) => {
    if (totalsOf(own.view()).movingCount > 0) event.preventDefault()
  }
  addEventListener('beforeunload', warn, { signal })
}

/** Whoever signs in next must not send what this person chose. */
function stopWithSession(userId: string, queryClient: QueryClient, signal: AbortSignal): void {
  const forget = queryClient.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] !== sessionQuery.queryKey[0] || query.state.status !== 'success') return
    const user = query.state.data as { id: string } | null | undefined
    if (user?.id !== userId) stopUploads()
  })
  signal.addEventListener('abort', forget)
}

/** Ends it for this person: they signed out, or somebody else came. */
function stopUploads(): void {
  leaving.abort()
  leaving = new AbortController()
  queue = undefined
  ownerId = undefined
  whenReady = waitForQueue()
  useUploadStore.setState(nothing)
}

/** Waits until the list from before is known, so that a folder dropped again finds it. */
export async function addUploads(found: readonly FoundFile[]): Promise<number> {
  const own = await whenReady.promise
  return own.add(found)
}

/** What can be done with the list. Undefined while another window has it. */
export function uploadQueue(): UploadQueue | undefined {
  return queue
}

function show(state: Partial<UploadState>): void {
  useUploadStore.setState(state)
}

/** Promise.withResolvers, which not every browser of the last years has. */
function waitForQueue() {
  let resolve: (queue: UploadQueue) => void = () => {}
  const promise = new Promise<UploadQueue>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
