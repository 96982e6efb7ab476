// Receives change events from the server while signed in. The windows of one browser share a single stream, because
// browsers limit connections per server: one window holds the stream and broadcasts the events to the others.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listenForEvents, liveTopics, type LiveEvent } from '#contract/events.ts'
import { createLiveRefresh } from './live-refresh.ts'
import { useSession } from '../session/session.ts'

const lockName = 'velour-live'
/** Doubles after every rejected connection, with jitter so that clients don't all retry at the same time. */
const firstRetryMs = 10_000
const longestRetryMs = 120_000

const listeners = new Set<(event: LiveEvent) => void>()

/** Subscribes to all events. Returns an unsubscribe function. */
export function onLiveEvent(onEvent: (event: LiveEvent) => void): () => void {
  listeners.add(onEvent)
  return () => void listeners.delete(onEvent)
}

/** Refreshes lists, settings and the session on live events. Call once, from the shell. */
export function useLiveEvents(): void {
  const queryClient = useQueryClient()
  const userId = useSession().user?.id
  useEffect(() => {
    if (userId === undefined || typeof EventSource === 'undefined') return
    const { notify, stop } = createLiveRefresh(queryClient)
    const unsubscribe = subscribeToSharedStream((event) => {
      if (event.topic !== 'playing') notify(event.topic)
      for (const listener of listeners) listener(event)
    })
    return () => {
      unsubscribe()
      stop()
    }
  }, [queryClient, userId])
}

/** Subscribes to the stream of this browser, regardless of which window holds it. Returns an unsubscribe function. */
function subscribeToSharedStream(onEvent: (event: LiveEvent) => void): () => void {
  // Insecure contexts have no Web Locks, so every window opens its own stream.
  if (!('locks' in navigator)) return openStream(onEvent)
  const channel = new BroadcastChannel(lockName)
  channel.addEventListener('message', ({ data }) => onEvent(data as LiveEvent))
  const leaving = new AbortController()
  const holdStream = () =>
    new Promise<void>((resolve) => {
      const close = openStream((event) => {
        onEvent(event)
        channel.postMessage(event)
      })
      leaving.signal.addEventListener('abort', () => {
        close()
        resolve()
      })
    })
  navigator.locks
    .request(lockName, { signal: leaving.signal }, holdStream)
    .catch((error: unknown) => {
      // The lock request was aborted: the window was closed before it got the lock.
      if (!leaving.signal.aborted) throw error
    })
  return () => {
    leaving.abort()
    channel.close()
  }
}

/** Opens the stream and reconnects until the returned function is called. */
function openStream(onEvent: (event: LiveEvent) => void): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let wasOpen = false
  let refusals = 0

  const open = () => {
    source = new EventSource(listenForEvents.path)
    source.addEventListener('open', () => {
      // Events between the two connections were lost.
      if (wasOpen) onEvent({ topic: 'missed', id: '' })
      wasOpen = true
      refusals = 0
    })
    source.addEventListener('message', ({ data }) => {
      const event = JSON.parse(String(data)) as LiveEvent
      // A newer server may send topics that are unknown to this version.
      if (liveTopics.includes(event.topic)) onEvent(event)
    })
    source.addEventListener('error', () => {
      if (source?.readyState !== EventSource.CLOSED) return
      // The server rejected the stream, after which EventSource doesn't reconnect. The session may be over, so refetch
      // it once.
      if (refusals === 0) onEvent({ topic: 'session', id: '' })
      wasOpen = true
      const retryMs = Math.min(firstRetryMs * 2 ** refusals, longestRetryMs)
      refusals++
      timer = setTimeout(open, retryMs * (0.75 + Math.random() / 2))
    })
  }
  open()
  return () => {
    clearTimeout(timer)
    source?.close()
  }
}
