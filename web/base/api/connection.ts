// Tracks whether the server is reachable, based on the browser's network state and the outcome of requests. Invariant:
// an unreachable server is polled, so the app recovers without user action.
import { onlineManager } from '@tanstack/react-query'
import { create } from 'zustand'

/** `offline`: this device has no network. `unreachable`: the device has a network, but the server does not respond. */
export type Connection = 'online' | 'offline' | 'unreachable'

const retryDelaysMs = [2000, 4000, 8000, 15_000, 30_000]
const timeoutMs = 5000

export const useConnection = create<{ connection: Connection }>(() => ({
  connection: hasNetwork() ? 'online' : 'offline',
}))

let timer: ReturnType<typeof setTimeout> | undefined
let tries = 0

export function isOnline(): boolean {
  return useConnection.getState().connection === 'online'
}

/** Records that the server is reachable. Call for every response, with any status. */
export function reportResponse(): void {
  clearTimeout(timer)
  timer = undefined
  tries = 0
  change('online')
}

/** Call when a request got no response. One failure alone does not change the state: the server is polled first. */
export function reportNoResponse(): void {
  if (!hasNetwork()) change('offline')
  if (timer === undefined) scheduleCheck(0)
}

/** Connects the query cache, which refetches what is on screen when the connection returns. Call once, at startup. */
export function followConnection(): void {
  onlineManager.setEventListener((setOnline) => {
    setOnline(isOnline())
    return useConnection.subscribe(({ connection }) => setOnline(connection === 'online'))
  })
  addEventListener('offline', () => change('offline'))
  addEventListener('online', () => scheduleCheck(0))
  if (!isOnline()) scheduleCheck(0)
}

/** Returns true on the server, where `navigator.onLine` is undefined. */
function hasNetwork(): boolean {
  return navigator.onLine !== false
}

function change(connection: Connection): void {
  if (useConnection.getState().connection !== connection) useConnection.setState({ connection })
}

function scheduleCheck(delayMs: number): void {
  clearTimeout(timer)
  timer = setTimeout(() => void checkServer(), delayMs)
}

async function checkServer(): Promise<void> {
  try {
    await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(timeoutMs) })
    reportResponse()
  } catch {
    change(hasNetwork() ? 'unreachable' : 'offline')
    const delayMs = retryDelaysMs[Math.min(tries, retryDelaysMs.length - 1)]!
    tries += 1
    scheduleCheck(delayMs)
  }
}
