// Receives change events from the server while signed in. The windows of one browser share a single stream, because
// browsers limit connections per server: one window holds the stream and broadcasts the events to the others.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listenForEvents, liveTopics, type LiveEvent } from '#contract/events.ts'
import { createLiveRefresh } from './live-refresh.ts'
import { useSession } from '../session/session.ts'

const sharedName = 'velour-live'
/** Doubles with every refusal, with jitter so that clients refused together don't retry together. */
const firstRetryMs = 10_000
const longestRetryMs = 120_000

const hearers = new Set<(event: LiveEvent) => void>()

/** Subscribes to all events. Returns an unsubscribe function. */
export function onLiveEvent(hear: (event: LiveEvent) => void): () => void {
  hearers.add(hear)
  return () => void hearers.delete(hear)
}

/** Refreshes lists, settings and the session on live events. Call once, from the shell. */
export function useLiveEvents(): void {
  const queryClient = useQueryClient()
  const userId = useSession().user?.id
  useEffect(() => {
    if (userId === undefined || typeof EventSource === 'undefined') return
    const { hear, stop } = createLiveRefresh(queryClient)
    const leave = listenTogether((event) => {
      if (event.topic !== 'playing') hear(event.topic)
      for (const hearer of hearers) hearer(event)
    })
    return () => {
      leave()
      stop()
    }
  }, [queryClient, userId])
}

/** Calls `hear` for every event, whichever window has the stream. Returns a stop function. */
function listenTogether(hear: (event: LiveEvent) => void): () => void {
  // Insecure contexts have no Web Locks, so every window opens its own stream.
  if (!('locks' in navigator)) return listen(hear)
  const channel = new BroadcastChannel(sharedName)
  channel.addEventListener('message', ({ data }) => hear(data as LiveEvent))
  const leaving = new AbortController()
  const lead = () =>
    new Promise<void>((resolve) => {
      const close = listen((event) => {
        hear(event)
        channel.postMessage(event)
      })
      leaving.signal.addEventListener('abort', () => {
        close()
        resolve()
      })
    })
  navigator.locks.request(sharedName, { signal: leaving.signal }, lead).catch((error: unknown) => {
    // The window was closed before it got the lock.
    if (!leaving.signal.aborted) throw error
  })
  return () => {
    leaving.abort()
    channel.close()
  }
}

/** Opens the stream and reconnects until the returned function is called. */
function listen(hear: (event: LiveEvent) => void): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let wasOpen = false
  let refusals = 0

  const open = () => {
    source = new EventSource(listenForEvents.path)
    source.addEventListener('open', () => {
      // Events during the gap were lost.
      if (wasOpen) hear({ topic: 'missed', id: '' })
      wasOpen = true
      refusals = 0
    })
    source.addEventListener('message', ({ data }) => {
      const event = JSON.parse(String(data)) as LiveEvent
      // A newer server may send topics that this version doesn't know.
      if (liveTopics.includes(event.topic)) hear(event)
    })
    source.addEventListener('error', () => {
      if (source?.readyState !== EventSource.CLOSED) return
      // The server refused the stream, after which EventSource doesn't reconnect. The session may be over, so refetch
      // it once.
      if (refusals === 0) hear({ topic: 'session', id: '' })
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
