// The upload queue of this browser. It starts with the back office and keeps running on every screen. If several
// windows are open, only one of them uploads. When that window closes, another one takes over.
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { create } from 'zustand'
import { sessionQuery, useSession } from '../../../base/session/session.ts'
import { hashFile } from './hash-file.ts'
import { sendFile } from './send-file.ts'
import { openUploadStorage } from './upload-storage.ts'
import type { FoundFile } from './upload-item.ts'
import { computeUploadTotals } from './upload-totals.ts'
import { UploadQueue, type QueueView } from './upload-queue.ts'

interface UploadState extends QueueView {
  /** `elsewhere`: another window of this browser runs the queue. */
  phase: 'starting' | 'ready' | 'elsewhere'
}

const initialState: UploadState = {
  phase: 'starting',
  items: [],
  activities: new Map(),
  missing: new Set(),
  lockedCount: 0,
  bytesPerSecond: null,
  isSignedOut: false,
}

export const useUploadStore = create<UploadState>(() => initialState)

/** Minimum time between two updates of the screen. */
const updateIntervalMs = 200

let queue: UploadQueue | undefined
let ownerId: string | undefined
let leaving = new AbortController()
let timer: ReturnType<typeof setTimeout> | undefined
let whenReady = waitForQueue()

/** Runs the uploads of the signed-in user. Used by the layout of the back office. They go on when it unmounts. */
export function useUploads(): void {
  const queryClient = useQueryClient()
  const userId = useSession().user?.id
  useEffect(() => {
    if (userId) startUploads(userId, queryClient)
  }, [userId, queryClient])
}

/** Resumes the uploads of this user, unless they are running. */
function startUploads(userId: string, queryClient: QueryClient): void {
  const wasSignedOut = useUploadStore.getState().isSignedOut
  if (ownerId === userId && !wasSignedOut) return
  stopUploads()
  ownerId = userId
  const { signal } = leaving
  const runQueueAsLeader = () => runQueue(userId, signal)
  stopOnSessionEnd(userId, queryClient, signal)
  if (!('locks' in navigator)) {
    void runQueueAsLeader()
    return
  }
  const name = `velour-uploads-${userId}`
  void navigator.locks
    .query()
    .then(({ held = [] }) => {
      if (!signal.aborted && held.some((lock) => lock.name === name))
        updateView({ phase: 'elsewhere' })
      return navigator.locks.request(name, { signal }, runQueueAsLeader)
    })
    .catch((error: unknown) => {
      // Ignore the AbortError if uploads were stopped while this window waited for the lock.
      if (!signal.aborted) throw error
    })
}

/** Runs the queue until it is stopped. The Web Lock is released when this resolves. */
async function runQueue(userId: string, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const storage = await openUploadStorage(userId)
  const own = new UploadQueue({
    storage,
    hash: hashFile,
    send: sendFile,
    onChange: () => {
      timer ??= setTimeout(() => {
        timer = undefined
        if (!signal.aborted) useUploadStore.setState(own.view())
      }, updateIntervalMs)
    },
  })
  if (signal.aborted) return own.stop()
  queue = own
  warnBeforeLeaving(own, signal)
  await own.restore()
  updateView({ phase: 'ready', ...own.view() })
  whenReady.resolve(own)
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve())
    if (signal.aborted) resolve()
  })
  own.stop()
}

/** Asks before the window is closed during uploads. Only files that the browser stored can resume next time. */
function warnBeforeLeaving(own: UploadQueue, signal: AbortSignal): void {
  const warn = (event: BeforeUnloadEvent) => {
    if (computeUploadTotals(own.view()).movingCount > 0) event.preventDefault()
  }
  addEventListener('beforeunload', warn, { signal })
}

/** Stops the uploads when the session ends, so that the next user doesn't upload this user's files. */
function stopOnSessionEnd(userId: string, queryClient: QueryClient, signal: AbortSignal): void {
  const unsubscribe = queryClient.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] !== sessionQuery.queryKey[0] || query.state.status !== 'success') return
    const user = query.state.data as { id: string } | null | undefined
    if (user?.id !== userId) stopUploads()
  })
  signal.addEventListener('abort', unsubscribe)
}

/** Stops the uploads after a sign-out, or when another user signs in. */
function stopUploads(): void {
  leaving.abort()
  leaving = new AbortController()
  queue = undefined
  ownerId = undefined
  whenReady = waitForQueue()
  useUploadStore.setState(initialState)
}

/** Adds files once the stored list is loaded, so that files dropped again match their items. */
export async function addUploads(found: readonly FoundFile[]): Promise<number> {
  const own = await whenReady.promise
  return own.add(found)
}

/** Returns the queue. Undefined while another window runs it. */
export function uploadQueue(): UploadQueue | undefined {
  return queue
}

function updateView(state: Partial<UploadState>): void {
  useUploadStore.setState(state)
}

/** Like Promise.withResolvers, which some supported browsers lack. */
function waitForQueue() {
  let resolve: (queue: UploadQueue) => void = () => {}
  const promise = new Promise<UploadQueue>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
