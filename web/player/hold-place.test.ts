import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../app/api.ts'
import { holdPlace, type HeldPlace, type PlaceWord } from './hold-place.ts'
import { pause, play, playTracks, skipNext } from './player-actions.ts'
import { setListener } from './player-reports.ts'
import { initialPlayerState, usePlayer } from './player-store.ts'
import { makeTracks } from './player-track-fixture.ts'

let said: PlaceWord[]
let answer: (word: PlaceWord) => Promise<void>
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
  said = []
  answer = async () => {}
  place = holdPlace((word) => {
    said.push(word)
    return answer(word)
  })
})
afterEach(() => {
  place.end()
  vi.useRealTimers()
})

test('a place is taken at the start, kept every ten seconds, left at a pause', async () => {
  playTracks(makeTracks(2))
  await pass(25)
  expect(said).toEqual(['start', 'beat', 'beat'])
  skipNext()
  await pass(10)
  expect(said).toEqual(['start', 'beat', 'beat', 'beat'])
  pause()
  await pass(60)
  expect(said.slice(4)).toEqual(['stop'])
  play()
  await pass(1)
  expect(said.slice(5)).toEqual(['start'])
})

test('a quick pause and play never leaves the server with the pause', async () => {
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
  expect(said[0]).toBe('start')
  expect(new Set(said.slice(1))).toEqual(new Set(['beat']))
})

test('who is displaced is paused and told why; the server is not asked to forget it', async () => {
  playTracks(makeTracks(1))
  await pass(1)
  answer = () => Promise.reject(elsewhere)
  await place.confirm()
  const cap = { limit: 1, premium_limit: 3 }
  expect(state()).toMatchObject({ playing: false, problem: { kind: 'elsewhere', cap } })
  await pass(60)
  expect(said).toEqual(['start', 'beat'])
})

test('a refusal because of another tab names the tab, not a device', async () => {
  playTracks(makeTracks(1))
  await pass(1)
  const details = { limit: 3, same_device: true }
  answer = () => Promise.reject(new ApiError('playing_elsewhere', 409, 'Elsewhere', details))
  await place.confirm()
  expect(state().problem).toMatchObject({ kind: 'elsewhere', where: 'tab' })
})

test('playing here starts anew and the words are gone', async () => {
  playTracks(makeTracks(1))
  await pass(1)
  usePlayer.setState({ positionSeconds: 33 })
  answer = () => Promise.reject(elsewhere)
  await place.confirm()
  answer = async () => {}
  play()
  await pass(1)
  expect(state()).toMatchObject({ playing: true, problem: null, startSeconds: 33 })
  expect(said).toEqual(['start', 'beat', 'start'])
})

test('without a connection it plays on, and asks for its place again later', async () => {
  answer = () => Promise.reject(offline)
  playTracks(makeTracks(1))
  await pass(15)
  expect(state()).toMatchObject({ playing: true, problem: null })
  answer = async () => {}
  await pass(10)
  expect(said).toEqual(['start', 'start', 'start'])
  answer = () => Promise.reject(offline)
  await pass(10)
  answer = async () => {}
  await pass(10)
  expect(said.slice(3)).toEqual(['beat', 'beat'])
})

test('who does not play asks without keeping the place', async () => {
  await place.confirm()
  expect(said).toEqual(['beat', 'stop'])
  answer = () => Promise.reject(elsewhere)
  await place.confirm()
  expect(state().problem).toMatchObject({ kind: 'elsewhere' })
})

test('a page that is left gives its place up, one that comes back takes it again', async () => {
  playTracks(makeTracks(1))
  await pass(1)
  dispatchEvent(new Event('pagehide'))
  expect(said).toEqual(['start', 'stop'])
  dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  await pass(1)
  expect(said).toEqual(['start', 'stop', 'start'])
})

test('nobody who is signed out holds a place', async () => {
  setListener(null)
  playTracks(makeTracks(1))
  await pass(20)
  expect(said).toEqual([])
})
