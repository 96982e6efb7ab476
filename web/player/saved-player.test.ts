import { beforeEach, describe, expect, test } from 'vitest'
import { playTracks, setVolume, toggleShuffle } from './player-actions.ts'
import { reportProgress, setListener } from './player-reports.ts'
import { initialPlayerState, usePlayer } from './player-store.ts'
import { makeTrack, makeTracks } from './player-track-fixture.ts'
import { currentEntry, toggleShuffle as unshuffle } from './play-queue.ts'
import { forgetQueue, restorePlayer, savePlace, saveQueue } from './saved-player.ts'

const user = 'ada'
const state = () => usePlayer.getState()

function save(): void {
  saveQueue(user, state())
  savePlace(user, state())
}

beforeEach(() => {
  localStorage.clear()
  usePlayer.setState(initialPlayerState, true)
  setListener({ user_id: user, is_premium: true })
})

test('queue, place, volume, repeat and source come back as they were', () => {
  playTracks(
    [makeTrack(1, { preview_url: null, cover_url: '/media/covers/x/384.webp' }), makeTrack(2)],
    {
      startIndex: 1,
      repeat: 'all',
      source: 'Evening',
    },
  )
  reportProgress(63.4, 180)
  setVolume(35)
  save()
  const restored = restorePlayer(user, true)
  const tracks = (queue = state().queue) => queue.entries.map((entry) => entry.track)
  expect(tracks(restored?.queue)).toEqual(tracks())
  expect(restored).toMatchObject({ startSeconds: 63.4, positionSeconds: 63.4, volume: 35 })
  expect(restored).toMatchObject({ source: 'Evening', queue: { index: 1, repeat: 'all' } })
})

test('a shuffled order is the same after a reload, and so is the original one', () => {
  playTracks(makeTracks(30), { startIndex: 4 })
  toggleShuffle()
  save()
  const titles = (queue = state().queue) => queue.entries.map(({ track }) => track.title)
  const queue = restorePlayer(user, true)?.queue
  expect(titles(queue)).toEqual(titles())
  expect(queue && titles(unshuffle(queue))).toEqual(makeTracks(30).map((track) => track.title))
})

test('a place behind the end of a preview starts at its beginning', () => {
  playTracks(makeTracks(1))
  reportProgress(100, 180)
  save()
  expect(restorePlayer(user, false)).toMatchObject({ startSeconds: 0, durationSeconds: 45 })
})

test('what one account left is not there for another', () => {
  playTracks(makeTracks(2))
  save()
  expect(restorePlayer('bob', true)).toBeNull()
})

test('forgetting takes the queue and leaves volume and settings', () => {
  playTracks(makeTracks(2))
  setVolume(20)
  save()
  forgetQueue(user)
  expect(restorePlayer(user, true)).toMatchObject({ volume: 20, queue: { index: -1, entries: [] } })
})

describe('what cannot be used is left out', () => {
  const keyOf = (part: string) => `velour-player-${part}:${user}`
  beforeEach(() => {
    playTracks(makeTracks(3))
    save()
  })

  test.each(['', 'null', '{', '[]', '{"volume":"loud"}', '{"index":0}'])(
    'a place like %s',
    (text) => {
      localStorage.setItem(keyOf('place'), text)
      expect(restorePlayer(user, true)).toBeNull()
    },
  )

  test.each([
    '{',
    '{"columns":{},"count":3,"order":null}',
    '{"columns":{"id":"no uuid"},"count":1,"order":null}',
  ])('a queue like %s', (text) => {
    localStorage.setItem(keyOf('queue'), text)
    expect(restorePlayer(user, true)?.queue.entries).toEqual([])
  })

  test('an order that is not one', () => {
    const saved = JSON.parse(localStorage.getItem(keyOf('queue')) ?? '{}') as object
    localStorage.setItem(keyOf('queue'), JSON.stringify({ ...saved, order: [0, 0, 7] }))
    expect(restorePlayer(user, true)?.queue.entries).toEqual([])
  })

  test('an index outside of the queue', () => {
    savePlace(user, { ...state(), queue: { ...state().queue, index: 3 } })
    expect(restorePlayer(user, true)?.queue.index).toBe(-1)
  })
})

/** As a real catalogue has them: everything differs that can. */
function realisticTracks(count: number) {
  return makeTracks(count).map((track, at) => ({
    ...track,
    title: `A title of usual length ${at}`,
    artist: `Artist ${at % 40}`,
    duration: 120 + (at % 180),
    cover_url: `/media/covers/${crypto.randomUUID()}/384.webp`,
    cover_tint: `oklch(0.5 0.11 ${at % 360})`,
    cover_placeholder: `data:image/webp;base64,${'A'.repeat(300)}`,
    loudness_lufs: -20 + (at % 100) / 10,
    true_peak_dbtp: -3 + (at % 30) / 10,
  }))
}

test('20,000 tracks fit into what browsers allow, and are read within a blink', () => {
  playTracks(realisticTracks(20_000), { shuffle: true })
  const started = performance.now()
  save()
  const restored = restorePlayer(user, true)
  const tookMs = performance.now() - started
  expect(restored?.queue.entries.length).toBe(20_000)
  const characters = Object.values({ ...localStorage }).join('').length
  // Browsers count 5 Mi characters per origin.
  expect(characters).toBeLessThan(4_500_000)
  expect(tookMs).toBeLessThan(2000)
})

test('when it does not fit, the tracks around the current one are kept', () => {
  localStorage.setItem('other', 'x'.repeat(4_600_000))
  playTracks(realisticTracks(20_000), { startIndex: 9000 })
  save()
  saveQueue(user, state())
  const queue = restorePlayer(user, true)?.queue
  expect(queue?.entries.length).toBe(1000)
  expect(queue && currentEntry(queue)?.track.title).toBe('A title of usual length 9000')
})
