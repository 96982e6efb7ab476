// Whether the server can be reached: what the browser knows of the network, and what requests find out.
// Invariant: while it cannot, somebody is asking now and then, so that being back is noticed by itself.
import { onlineManager } from '@tanstack/react-query'
import { create } from 'zustand'

/** `offline`: this device has no network. `unreachable`: it has one, but no answer comes. */
export type Connection = 'online' | 'offline' | 'unreachable'

const retryDelaysMs = [2000, 4000, 8000, 15_000, 30_000]
const patienceMs = 5000

export const useConnection = create<{ connection: Connection }>(() => ({
  connection: hasNetwork() ? 'online' : 'offline',
}))

let timer: ReturnType<typeof setTimeout> | undefined
let tries = 0

export function isOnline(): boolean {
  return useConnection.getState().connection === 'online'
}

/** An answer came, whatever it said. */
export function reportAnswer(): void {
  clearTimeout(timer)
  timer = undefined
  tries = 0
  change('online')
}

/** A request found nobody. One that was cut off by chance does not count: the server is asked again first. */
export function reportNoAnswer(): void {
  if (!hasNetwork()) change('offline')
  if (timer === undefined) askIn(0)
}

/** Tells the query cache, which then asks again for what is on screen. Call it once, at the start. */
export function followConnection(): void {
  onlineManager.setEventListener((setOnline) => {
    setOnline(isOnline())
    return useConnection.subscribe(({ connection }) => setOnline(connection === 'online'))
  })
  addEventListener('offline', () => change('offline'))
  addEventListener('online', () => askIn(0))
  if (!isOnline()) askIn(0)
}

/** Only a browser can say no; the server, which draws pages too, is never asked. */
function hasNetwork(): boolean {
  return navigator.onLine !== false
}

function change(connection: Connection): void {
  if (useConnection.getState().connection !== connection) useConnection.setState({ connection })
}

function askIn(delayMs: number): void {
  clearTimeout(timer)
  timer = setTimeout(() => void ask(), delayMs)
}

async function ask(): Promise<void> {
  try {
    await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(patienceMs) })
    reportAnswer()
  } catch {
    change(hasNetwork() ? 'unreachable' : 'offline')
    const delayMs = retryDelaysMs[Math.min(tries, retryDelaysMs.length - 1)]!
    tries += 1
    askIn(delayMs)
  }
}
