// Autoplay at the end of the queue. Only the network is fake.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useConnection } from '../../../base/api/connection.ts'
import { makeTrack, makeTracks } from '../../../testing/track-fixture.ts'
import { continueWithRadio } from './continue-with-radio.ts'
import {
  changeSettings,
  clearQueue,
  cycleRepeat,
  enqueue,
  playStation,
  playTracks,
  skipNext,
} from './player-actions.ts'
import { getQueueAfterEnd, reportEnded, setListener } from './player-reports.ts'
import { initialPlayerState, selectTrack, usePlayer } from './player-store.ts'

interface StationRequest {
  seed: { kind: string; id?: string }
  exclude: string[]
}

let requests: StationRequest[]
let answer: () => Response | Promise<Response>
let stop: () => void

const state = () => usePlayer.getState()
const title = () => selectTrack(state())?.title
const titles = () => state().queue.entries.map(({ track }) => track.title)
const station = (numbers: number[], name = 'Radio: similar to Track 1') =>
  Response.json({ title: name, data: numbers.map((number) => makeTrack(number)) })

beforeEach(() => {
  usePlayer.setState(initialPlayerState, true)
  useConnection.setState({ connection: 'online' })
  setListener({ user_id: 'ada', is_premium: true })
  requests = []
  answer = () => station([11, 12, 13])
  vi.stubGlobal('fetch', async (_url: string, { body }: { body: string }) => {
    requests.push(JSON.parse(body) as StationRequest)
    return answer()
  })
  stop = continueWithRadio()
})
afterEach(() => {
  stop()
  vi.unstubAllGlobals()
})

const ahead = () => state().radioAhead?.tracks.map(({ title: name }) => name)
const playToEnd = async (count: number) => {
  playTracks(makeTracks(count), { startIndex: count - 1 })
  await expect.poll(ahead).toEqual(['Track 11', 'Track 12', 'Track 13'])
}

test('loads similar tracks while the last entries play, and continues with them at the end', async () => {
  playTracks(makeTracks(4))
  expect(requests).toEqual([])
  skipNext()
  skipNext()
  await expect.poll(ahead).toHaveLength(3)
  expect(requests).toHaveLength(1)
  expect(requests[0]?.seed).toEqual({ kind: 'track', id: makeTrack(4).id })
  expect(requests[0]?.exclude).toEqual(makeTracks(4).map(({ id }) => id))
  expect(titles()).toHaveLength(4)
  reportEnded()
  expect(title()).toBe('Track 4')
  expect(getQueueAfterEnd()?.entries).toHaveLength(7)
  reportEnded()
  expect(state()).toMatchObject({ playing: true, radioAhead: null })
  expect(title()).toBe('Track 11')
  expect(state().queue.entries.map((entry) => entry.by_radio ?? false)).toEqual([
    ...Array<boolean>(4).fill(false),
    ...Array<boolean>(3).fill(true),
  ])
  expect(state().station?.title).toBe('Radio: similar to Track 1')
})

test('continues with similar tracks on next', async () => {
  await playToEnd(2)
  skipNext()
  expect(title()).toBe('Track 11')
})

test('adds nothing after the queue was cleared', async () => {
  await playToEnd(3)
  clearQueue()
  expect(titles()).toEqual(['Track 3'])
  reportEnded()
  expect(title()).toBe('Track 11')
})

test('loads more tracks of the same radio station', async () => {
  await playToEnd(1)
  answer = () => station([21, 22, 23])
  for (let step = 0; step < 3; step += 1) skipNext()
  await expect.poll(ahead).toEqual(['Track 21', 'Track 22', 'Track 23'])
  expect(requests.map(({ seed }) => seed.id)).toEqual([makeTrack(1).id, makeTrack(1).id])
})

test("uses the listener's last track as the seed", async () => {
  await playToEnd(1)
  enqueue([makeTrack(9)])
  await expect.poll(() => requests.at(-1)?.seed.id).toBe(makeTrack(9).id)
  skipNext()
  expect(title()).toBe('Track 9')
})

test('stops at the end of the queue while the switch is off', async () => {
  changeSettings({ autoplay: false })
  playTracks(makeTracks(2), { startIndex: 1 })
  expect(getQueueAfterEnd()).toBeNull()
  reportEnded()
  expect(state()).toMatchObject({ playing: false, positionSeconds: 0 })
  expect(title()).toBe('Track 2')
  expect(requests).toEqual([])
})

test('removes the added tracks when the switch is turned off, even while one of them plays', async () => {
  await playToEnd(2)
  changeSettings({ autoplay: false })
  expect(getQueueAfterEnd()).toBeNull()
  changeSettings({ autoplay: true })
  await expect.poll(ahead).toHaveLength(3)
  skipNext()
  changeSettings({ autoplay: false })
  expect(titles()).toEqual(['Track 1', 'Track 2', 'Track 11'])
  expect(getQueueAfterEnd()).toBeNull()
})

test('adds nothing to a repeated list', async () => {
  playTracks(makeTracks(2), { startIndex: 1, repeat: 'all' })
  expect(requests).toEqual([])
  reportEnded()
  expect(title()).toBe('Track 1')
  playTracks(makeTracks(2), { startIndex: 1, repeat: 'off' })
  await expect.poll(ahead).toHaveLength(3)
  cycleRepeat()
  expect(state().queue.repeat).toBe('all')
  reportEnded()
  expect(title()).toBe('Track 1')
  expect(titles()).toEqual(['Track 1', 'Track 2'])
})

test('keeps a radio station that the listener started when the switch is turned off', () => {
  const seed = { kind: 'likes' } as const
  playStation(makeTracks(5), { seed, title: 'Radio: from your likes', isAsked: true })
  changeSettings({ autoplay: false })
  expect(titles()).toHaveLength(5)
  expect(state()).toMatchObject({ source: 'Radio: from your likes', playing: true })
})

test('adds nothing after a preview, because playback stops at its end', () => {
  setListener({ user_id: 'ada', is_premium: false })
  playTracks(makeTracks(1))
  expect(requests).toEqual([])
})

test('does not append tracks loaded for a list that has been replaced', async () => {
  let send: (response: Response) => void = () => {}
  answer = () => new Promise<Response>((resolve) => (send = resolve))
  playTracks(makeTracks(1))
  await expect.poll(() => requests.length).toBe(1)
  playTracks(makeTracks(6))
  send(station([11]))
  await new Promise((resolve) => setTimeout(resolve, 20))
  for (let step = 0; step < 5; step += 1) skipNext()
  reportEnded()
  expect(titles()).toHaveLength(6)
})

test('changes nothing on an error, and does not retry immediately', async () => {
  answer = () => Response.json({ error: { code: 'internal', message: 'No' } }, { status: 500 })
  playTracks(makeTracks(2), { startIndex: 1 })
  await expect.poll(() => requests.length).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 20))
  usePlayer.setState({ positionSeconds: 5 })
  expect(requests).toHaveLength(1)
  expect(titles()).toHaveLength(2)
  reportEnded()
  expect(state().playing).toBe(false)
})
