import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../../base/api/api.ts'
import { holdPlace, type HeldPlace, type PlaceMessage } from './hold-place.ts'
import { pause, play, playTracks, skipNext } from './player-actions.ts'
import { setListener } from './player-reports.ts'
import { initialPlayerState, usePlayer } from './player-store.ts'
import { makeTracks } from '../../../testing/track-fixture.ts'

let sentMessages: PlaceMessage[]
let answer: (message: PlaceMessage) => Promise<void>
let place: HeldPlace

const elsewhere = new ApiError('playing_elsewhere', 409, 'Elsewhere', {
  limit: 1,
  premium_limit: 3,
})
const offline = new ApiError('network', 0, 'No connection')
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)
const state = () => usePlayer.getState()

beforeEach(() => {
  vi.useFakeTimers()
  usePlayer.setState(initialPlayerState, true)
  setListener({ user_id: 'ada', is_premium: false })
  sentMessages = []
  answer = async () => {}
  place = holdPlace((message) => {
    sentMessages.push(message)
    return answer(message)
  })
})
afterEach(() => {
  place.end()
  vi.useRealTimers()
})

test('takes a player place at the start, renews it every ten seconds and releases it on pause', async () => {
  playTracks(makeTracks(2))
  await pass(25)
  expect(sentMessages).toEqual(['start', 'beat', 'beat'])
  skipNext()
  await pass(10)
  expect(sentMessages).toEqual(['start', 'beat', 'beat', 'beat'])
  pause()
  await pass(60)
  expect(sentMessages.slice(4)).toEqual(['stop'])
  play()
  await pass(1)
  expect(sentMessages.slice(5)).toEqual(['start'])
})

test('keeps the player place after a quick pause and play', async () => {
  let settle: () => void = () => {}
  answer = () => new Promise<void>((resolve) => (settle = resolve))
  playTracks(makeTracks(1))
  await pass(0.1)
  pause()
  play()
  pause()
  play()
  for (let i = 0; i < 6; i++) {
    settle()
    await pass(0.1)
  }
  expect(sentMessages[0]).toBe('start')
  expect(new Set(sentMessages.slice(1))).toEqual(new Set(['beat']))
})

test('pauses when the server refuses the place, shows the reason, and does not release the place', async () => {
  playTracks(makeTracks(1))
  await pass(1)
  answer = () => Promise.reject(elsewhere)
  await place.confirm()
  const cap = { limit: 1, premium_limit: 3 }
  expect(state()).toMatchObject({ playing: false, problem: { kind: 'elsewhere', cap } })
  await pass(60)
  expect(sentMessages).toEqual(['start', 'beat'])
})

test('reports another tab when the server refuses the place because of the same device', async () => {
  playTracks(makeTracks(1))
  await pass(1)
  const details = { limit: 3, same_device: true }
  answer = () => Promise.reject(new ApiError('playing_elsewhere', 409, 'Elsewhere', details))
  await place.confirm()
  expect(state().problem).toMatchObject({ kind: 'elsewhere', where: 'tab' })
})

test('takes the place again and clears the notice when the user plays here', async () => {
  playTracks(makeTracks(1))
  await pass(1)
  usePlayer.setState({ positionSeconds: 33 })
  answer = () => Promise.reject(elsewhere)
  await place.confirm()
  answer = async () => {}
  play()
  await pass(1)
  expect(state()).toMatchObject({ playing: true, problem: null, startSeconds: 33 })
  expect(sentMessages).toEqual(['start', 'beat', 'start'])
})

test('keeps playing while offline and requests its place again later', async () => {
  answer = () => Promise.reject(offline)
  playTracks(makeTracks(1))
  await pass(15)
  expect(state()).toMatchObject({ playing: true, problem: null })
  answer = async () => {}
  await pass(10)
  expect(sentMessages).toEqual(['start', 'start', 'start'])
  answer = () => Promise.reject(offline)
  await pass(10)
  answer = async () => {}
  await pass(10)
  expect(sentMessages.slice(3)).toEqual(['beat', 'beat'])
})

test('releases the place that a check has taken while nothing plays', async () => {
  await place.confirm()
  expect(sentMessages).toEqual(['beat', 'stop'])
  answer = () => Promise.reject(elsewhere)
  await place.confirm()
  expect(state().problem).toMatchObject({ kind: 'elsewhere' })
})

test('releases the place when the page is hidden and takes it again when it is restored', async () => {
  playTracks(makeTracks(1))
  await pass(1)
  dispatchEvent(new Event('pagehide'))
  expect(sentMessages).toEqual(['start', 'stop'])
  dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  await pass(1)
  expect(sentMessages).toEqual(['start', 'stop', 'start'])
})

test('holds no place while signed out', async () => {
  setListener(null)
  playTracks(makeTracks(1))
  await pass(20)
  expect(sentMessages).toEqual([])
})
