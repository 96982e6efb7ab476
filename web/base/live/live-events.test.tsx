import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LiveEvent } from '#contract/events.ts'
import { freeMember, mountApp, site } from '../../testing/mount-app.tsx'

/** A fake EventSource, controlled by the test. */
class StreamStandIn extends EventTarget {
  static readonly CLOSED = 2
  static all: StreamStandIn[] = []
  readyState = 1
  readonly url: string
  constructor(url: string) {
    super()
    this.url = url
    StreamStandIn.all.push(this)
  }
  close() {
    this.readyState = StreamStandIn.CLOSED
  }
  say(event: LiveEvent | object) {
    act(() => void this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(event) })))
  }
  open() {
    act(() => void this.dispatchEvent(new Event('open')))
  }
  refuse() {
    this.close()
    act(() => void this.dispatchEvent(new Event('error')))
  }
}

beforeEach(() => {
  StreamStandIn.all = []
  vi.stubGlobal('EventSource', StreamStandIn)
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  cleanup()
  vi.unstubAllGlobals()
})

async function listeningApp(path: string) {
  const app = mountApp(path, {}, freeMember)
  await waitFor(() => expect(StreamStandIn.all).toHaveLength(1))
  const stream = StreamStandIn.all[0]
  if (!stream) throw new Error('Nobody listens')
  const count = (operation: string) =>
    app.requests.filter((request) => request.operation === operation).length
  return { ...app, stream, count }
}

test('opens the stream for members but not for visitors', async () => {
  mountApp('/nowhere')
  await screen.findByRole('heading', { name: 'Oops! Page not found' })
  expect(StreamStandIn.all).toEqual([])
  cleanup()
  const { stream } = await listeningApp('/nowhere')
  expect(stream.url).toBe('/api/events')
})

test('shows and hides the maintenance screen within a second of the event', async () => {
  const { stream, answers } = await listeningApp('/nowhere')
  answers['GET /api/site'] = { ...site, maintenance_mode: true }
  stream.say({ topic: 'settings', id: '' })
  const closed = await screen.findByText('We are making things better', {}, { timeout: 1000 })
  answers['GET /api/site'] = site
  stream.say({ topic: 'settings', id: '' })
  await screen.findByRole('heading', { name: 'Oops! Page not found' }, { timeout: 1000 })
  expect(closed.isConnected).toBe(false)
})

test('signs out and closes the stream when the session ends elsewhere', async () => {
  const { stream, answers } = await listeningApp('/nowhere')
  answers['GET /api/profile'] = { data: null }
  stream.say({ topic: 'session', id: '' })
  await screen.findByRole('link', { name: 'Sign In' })
  await waitFor(() => expect(stream.readyState).toBe(StreamStandIn.CLOSED))
})

test('refetches affected visible queries, once for many changes', async () => {
  const { stream, count } = await listeningApp('/')
  await waitFor(() => expect(count('GET /api/showcase')).toBe(1))
  for (let change = 0; change < 20; change++) stream.say({ topic: 'tracks', id: String(change) })
  await waitFor(() => expect(count('GET /api/showcase')).toBe(2))
  expect(count('GET /api/site')).toBe(1)
  stream.say({ topic: 'something-new', id: '' })
  stream.say({ topic: 'genres', id: '' })
  expect(count('GET /api/showcase')).toBe(2)
})

test('refetches immediately, then at most every two seconds while changes continue', async () => {
  const { stream, count } = await listeningApp('/')
  await waitFor(() => expect(count('GET /api/showcase')).toBe(1))
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const counts: number[] = []
  for (let quarter = 0; quarter < 20; quarter++) {
    stream.say({ topic: 'tracks', id: '' })
    await act(() => vi.advanceTimersByTimeAsync(250))
    counts.push(count('GET /api/showcase'))
  }
  // The refetches happen 0.2 s after the first change, and 2.2 s after each earlier refetch.
  expect([counts[0], counts[8], counts[9], counts[17], counts[18]]).toEqual([2, 2, 3, 3, 4])
})

test('refetches all queries after a gap in the stream', async () => {
  const { stream, count } = await listeningApp('/')
  stream.open()
  expect(count('GET /api/site')).toBe(1)
  stream.open()
  await waitFor(() => expect(count('GET /api/site')).toBe(2))
  await waitFor(() => expect(count('GET /api/showcase')).toBe(2))
})

test('refetches the session when the server rejects the stream', async () => {
  const { stream, count } = await listeningApp('/nowhere')
  expect(count('GET /api/profile')).toBe(1)
  stream.refuse()
  await waitFor(() => expect(count('GET /api/profile')).toBe(2))
})

test('backs off after repeated rejections, and refetches the session only once', async () => {
  const { stream, count } = await listeningApp('/nowhere')
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  stream.refuse()
  const pausesSeconds = [10, 20, 40, 80, 120, 120]
  for (const [index, seconds] of pausesSeconds.entries()) {
    await act(() => vi.advanceTimersByTimeAsync(seconds * 1000 - 1))
    expect(StreamStandIn.all).toHaveLength(index + 1)
    await act(() => vi.advanceTimersByTimeAsync(1))
    expect(StreamStandIn.all).toHaveLength(index + 2)
    StreamStandIn.all.at(-1)?.refuse()
  }
  expect(count('GET /api/profile')).toBe(2)
  // A successful connection resets the backoff.
  await act(() => vi.advanceTimersByTimeAsync(120_000))
  StreamStandIn.all.at(-1)?.open()
  StreamStandIn.all.at(-1)?.refuse()
  const known = StreamStandIn.all.length
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(StreamStandIn.all).toHaveLength(known + 1)
})
