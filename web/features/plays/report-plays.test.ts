import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { playFrom, playTracks, seekTo, togglePlay } from '../player/playback/player-actions.ts'
import { reportBuffering, reportProgress, setListener } from '../player/playback/player-reports.ts'
import { initialPlayerState, usePlayer } from '../player/playback/player-store.ts'
import { makeTrack } from '../../testing/track-fixture.ts'
import { reportPlays, type PlayReport } from './report-plays.ts'

let sent: PlayReport[]
let clockMs: number
let stop: () => void

beforeEach(() => {
  usePlayer.setState(initialPlayerState)
  setListener({ user_id: 'ada', is_premium: true })
  sent = []
  clockMs = 0
  stop = reportPlays({
    send: async (report) => void sent.push(report),
    nowMs: () => clockMs,
  })
})
afterEach(() => stop())

const tracks = [makeTrack(1), makeTrack(2)]

/** Advances playback by this many seconds, with a progress event four times a second. */
function playFor(seconds: number, { speed = 1 } = {}) {
  for (let tick = 0; tick < seconds * 4; tick++) {
    clockMs += 250
    const { positionSeconds } = usePlayer.getState()
    reportProgress(positionSeconds + 0.25 * speed, 180)
  }
}

const heard = () => sent.map(({ heard_seconds }) => heard_seconds)

test('reports a play at its start and every ten seconds', () => {
  playTracks(tracks)
  playFor(25)
  expect(heard()).toEqual([0.25, 10.25, 20.25])
  expect(new Set(sent.map(({ play_id }) => play_id)).size).toBe(1)
  expect(sent[2]).toMatchObject({
    track_id: tracks[0]?.id,
    position_seconds: 20.25,
    duration_seconds: 180,
  })
  expect(sent[0]?.play_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-/)
})

test('reports nothing while nothing plays', () => {
  playTracks(tracks)
  playTracks(tracks, { startIndex: 1 })
  expect(sent).toEqual([])
})

test('does not count pauses and seeks', () => {
  playTracks(tracks)
  playFor(5)
  togglePlay()
  expect(heard().at(-1)).toBe(5)
  clockMs += 600_000
  togglePlay()
  playFor(2)
  seekTo(100)
  playFor(3)
  togglePlay()
  expect(heard().at(-1)).toBe(10)
  expect(sent.at(-1)?.position_seconds).toBe(103)
})

test('does not count buffering', () => {
  playTracks(tracks)
  playFor(5)
  clockMs += 60_000
  playFor(1)
  togglePlay()
  expect(heard().at(-1)).toBe(6)
})

test('counts wall-clock time instead of position at double speed', () => {
  usePlayer.setState(({ settings }) => ({ settings: { ...settings, speed: 2 } }))
  playTracks(tracks)
  playFor(8, { speed: 2 })
  togglePlay()
  expect(sent.at(-1)).toMatchObject({ heard_seconds: 8, position_seconds: 16 })
})

test('starts a new play for the next track, after reporting the remaining time of the previous one', () => {
  playTracks(tracks)
  playFor(3)
  playTracks(tracks, { startIndex: 1 })
  playFor(1)
  expect(sent.map(({ track_id, heard_seconds }) => [track_id, heard_seconds])).toEqual([
    [tracks[0]?.id, 0.25],
    [tracks[0]?.id, 3],
    [tracks[1]?.id, 0.25],
  ])
})

test('keeps two plays separate when the store changes during a notification', () => {
  stop()
  // Simulates the audio engine, whose listener runs first and changes the store immediately.
  const unsubscribe = usePlayer.subscribe((state, before) => {
    if (state.instance !== before.instance) reportBuffering(true)
  })
  stop = reportPlays({ send: async (report) => void sent.push(report), nowMs: () => clockMs })
  playTracks(tracks)
  playFor(3)
  usePlayer.setState({ isBuffering: false })
  playTracks(tracks, { startIndex: 1 })
  unsubscribe()
  expect(sent.at(-1)).toMatchObject({ track_id: tracks[0]?.id, position_seconds: 3 })
})

test('starts a new play when the track restarts from its beginning, not from its middle', () => {
  playTracks(tracks)
  playFor(4)
  playFrom(usePlayer.getState().queue, { startSeconds: 4 })
  playFor(4)
  playFrom(usePlayer.getState().queue)
  playFor(1)
  const plays = [...new Set(sent.map(({ play_id }) => play_id))]
  expect(plays).toHaveLength(2)
  const last = (id: string | undefined) =>
    sent.findLast(({ play_id }) => play_id === id)?.heard_seconds
  expect(plays.map(last)).toEqual([8, 0.25])
})

test('reports the unreported time when the page is hidden', () => {
  playTracks(tracks)
  playFor(7)
  dispatchEvent(new Event('pagehide'))
  expect(heard()).toEqual([0.25, 7])
  dispatchEvent(new Event('pagehide'))
  expect(heard()).toEqual([0.25, 7])
  playFor(1)
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  document.dispatchEvent(new Event('visibilitychange'))
  expect(heard()).toEqual([0.25, 7, 8])
  vi.restoreAllMocks()
})

test('reports nothing while signed out', () => {
  setListener(null)
  playTracks(tracks)
  playFor(12)
  expect(sent).toEqual([])
})
