// Hears from the server what changed while somebody is signed in. The windows of one browser share a
// single stream, because a browser opens only few connections to one server: one of them listens and
// tells the others.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listenForEvents, liveTopics, type LiveEvent } from '#contract/events.ts'
import { createLiveRefresh } from './live-refresh.ts'
import { useSession } from './session.ts'

const sharedName = 'velour-live'
/** Doubled with every refusal, and never the same for all who were refused at once. */
const firstRetryMs = 10_000
const longestRetryMs = 120_000

const hearers = new Set<(event: LiveEvent) => void>()

/** Calls `hear` for every event while the shell listens. Returns the way to stop it. */
export function onLiveEvent(hear: (event: LiveEvent) => void): () => void {
  hearers.add(hear)
  return () => void hearers.delete(hear)
}

/** Keeps lists, settings and session on screen true. For the shell, once. */
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

/** Calls `hear` for every event, whichever window listens. Returns the way out. */
function listenTogether(hear: (event: LiveEvent) => void): () => void {
  // Without a secure context there are no locks, and every window listens for itself.
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
    // The window left before it was its turn.
    if (!leaving.signal.aborted) throw error
  })
  return () => {
    leaving.abort()
    channel.close()
  }
}

/** Listens until it is told to stop; comes back when the server does. */
function listen(hear: (event: LiveEvent) => void): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let wasOpen = false
  let refusals = 0

  const open = () => {
    source = new EventSource(listenForEvents.path)
    source.addEventListener('open', () => {
      // Whatever happened in between was not heard.
      if (wasOpen) hear({ topic: 'missed', id: '' })
      wasOpen = true
      refusals = 0
    })
    source.addEventListener('message', ({ data }) => {
      const event = JSON.parse(String(data)) as LiveEvent
      // A newer server may have more to tell.
      if (liveTopics.includes(event.topic)) hear(event)
    })
    source.addEventListener('error', () => {
      if (source?.readyState !== EventSource.CLOSED) return
      // Refused, and the browser gives up: the session may be over. Once is enough to find out.
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
