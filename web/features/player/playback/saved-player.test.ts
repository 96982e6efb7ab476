import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, test } from 'vitest'
import { playStation, playTracks, setVolume, toggleShuffle } from './player-actions.ts'
import { reportProgress, setListener } from './player-reports.ts'
import { initialPlayerState, usePlayer } from './player-store.ts'
import { makeTrack, makeTracks } from '../../../testing/track-fixture.ts'
import { currentEntry, toggleShuffle as unshuffle } from '../queue/play-queue.ts'
import type { PlayerTrack } from '../queue/player-track.ts'
import {
  removeOtherSavedPlayers,
  markSignedOut,
  restorePlayer,
  savePlace,
  unmarkSignedOut,
  wasSignedOut,
} from './saved-player.ts'
import { removeSavedQueue, saveQueue } from '../queue/saved-queue.ts'

const user = 'ada'
const state = () => usePlayer.getState()
const titles = (queue = state().queue) => queue.entries.map(({ track }) => track.title)

async function save(): Promise<void> {
  await saveQueue(user, state().queue)
  savePlace(user, state())
}

beforeEach(async () => {
  localStorage.clear()
  await removeSavedQueue(user)
  usePlayer.setState(initialPlayerState, true)
  setListener({ user_id: user, is_premium: true })
})

test('restores queue, position, volume, repeat and source', async () => {
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
  await save()
  const restored = await restorePlayer(user, true)
  const tracks = (queue = state().queue) => queue.entries.map((entry) => entry.track)
  expect(tracks(restored?.queue)).toEqual(tracks())
  expect(restored).toMatchObject({ startSeconds: 63.4, positionSeconds: 63.4, volume: 35 })
  expect(restored).toMatchObject({ source: 'Evening', queue: { index: 1, repeat: 'all' } })
})

test('restores a shuffled order and the original one', async () => {
  playTracks(makeTracks(30), { startIndex: 4 })
  toggleShuffle()
  await save()
  const queue = (await restorePlayer(user, true))?.queue
  expect(titles(queue)).toEqual(titles())
  expect(queue && titles(unshuffle(queue))).toEqual(makeTracks(30).map((track) => track.title))
})

test('starts at the beginning when the position is past the end of a preview', async () => {
  playTracks(makeTracks(1))
  reportProgress(100, 180)
  await save()
  expect(await restorePlayer(user, false)).toMatchObject({ startSeconds: 0, durationSeconds: 45 })
})

test('does not restore the player of another account', async () => {
  playTracks(makeTracks(2))
  await save()
  expect(await restorePlayer('bob', true)).toBeNull()
})

test('removes the queue, but keeps volume and settings', async () => {
  playTracks(makeTracks(2))
  setVolume(20)
  await save()
  await removeSavedQueue(user)
  expect(await restorePlayer(user, true)).toMatchObject({
    volume: 20,
    queue: { index: -1, entries: [] },
  })
})

describe('ignores invalid saved data', () => {
  beforeEach(async () => {
    playTracks(makeTracks(3))
    await save()
  })

  test.each(['', 'null', '{', '[]', '{"volume":"loud"}', '{"index":0}'])(
    'a position like %s',
    async (text) => {
      localStorage.setItem(`velour-player-place:${user}`, text)
      expect(await restorePlayer(user, true)).toBeNull()
    },
  )

  test.each([
    ['text', '{'],
    ['no tracks', { original: null }],
    ['a track without a length', { tracks: [{ ...makeTrack(1), duration: null }], original: null }],
    ['an original order with too few tracks', { tracks: makeTracks(3), original: [0, 1] }],
    ['an original order with a track twice', { tracks: makeTracks(3), original: [0, 1, 1] }],
    ['an original order with other tracks', { tracks: makeTracks(3), original: [0, 1, 3] }],
  ])('a queue with %s', async (_what, record) => {
    await writeRecord(record)
    expect((await restorePlayer(user, true))?.queue.entries).toEqual([])
  })

  test('an index outside the queue', async () => {
    savePlace(user, { ...state(), queue: { ...state().queue, index: 3 } })
    expect((await restorePlayer(user, true))?.queue.index).toBe(-1)
  })
})

/** Writes data as another version of the app may have written it. */
function writeRecord(record: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('velour-player', 1)
    opening.addEventListener('error', () => reject(opening.error))
    opening.addEventListener('success', () => {
      const transaction = opening.result.transaction('queues', 'readwrite')
      transaction.objectStore('queues').put(record, user)
      transaction.addEventListener('complete', () => {
        opening.result.close()
        resolve()
      })
    })
  })
}

describe('when the saved position is newer than the queue', () => {
  beforeEach(async () => {
    playTracks(makeTracks(5), { startIndex: 1 })
    await save()
    reportProgress(30, 180)
  })

  test('finds the track at another position of the queue', async () => {
    const { queue } = state()
    savePlace(user, { ...state(), queue: { ...queue, entries: queue.entries.slice(1), index: 2 } })
    const restored = await restorePlayer(user, true)
    expect(restored && currentEntry(restored.queue)?.track.title).toBe('Track 4')
    expect(restored?.positionSeconds).toBe(30)
  })

  test('starts at the beginning of another track when the queue lacks it', async () => {
    playTracks(makeTracks(9), { startIndex: 8 })
    reportProgress(30, 180)
    savePlace(user, state())
    const restored = await restorePlayer(user, true)
    expect(restored).toMatchObject({ positionSeconds: 0, queue: { index: 4 } })
  })
})

test('saves and restores 20,000 shuffled tracks', async () => {
  playTracks(makeTracks(20_000), { shuffle: true })
  await save()
  const queue = (await restorePlayer(user, true))?.queue
  expect(queue && titles(queue)).toEqual(titles())
  expect(queue && titles(unshuffle(queue))).toEqual(titles(unshuffle(state().queue)))
})

test('stores the later of two queues saved concurrently, and neither if the queue is removed in the meantime', async () => {
  playTracks(makeTracks(3))
  const first = saveQueue(user, state().queue)
  playTracks(makeTracks(2))
  await Promise.all([first, save()])
  expect((await restorePlayer(user, true))?.queue.entries).toHaveLength(2)
  await Promise.all([saveQueue(user, state().queue), removeSavedQueue(user)])
  expect((await restorePlayer(user, true))?.queue.entries).toEqual([])
})

describe('a queue that the previous version saved in localStorage', () => {
  const earlierKeys = () => Object.keys(localStorage).filter((key) => !key.includes('place'))

  test('is restored and migrated once', async () => {
    playTracks(makeTracks(600), { startIndex: 4 })
    toggleShuffle()
    savePlace(user, state())
    const { entries, original } = state().queue
    const byTitle = (at: number) => Number(entries[at]?.track.title.slice('Track '.length)) - 1
    const order = entries.map((_, at) => byTitle(at))
    writeEarlierQueue(makeTracks(600), { order, original: original && original.map((_, at) => at) })
    for (let reload = 0; reload < 2; reload += 1) {
      const queue = (await restorePlayer(user, true))?.queue
      expect(queue?.entries.map(({ track }) => track)).toEqual(
        entries.map(({ track }) => inEarlierFields(track)),
      )
      expect(queue && titles(unshuffle(queue))).toEqual(titles(unshuffle(state().queue)))
      expect(earlierKeys()).toEqual([])
    }
  })

  test('replaces an already migrated queue, because only the previous version writes to localStorage', async () => {
    playTracks(makeTracks(3))
    await save()
    writeEarlierQueue(makeTracks(2), { order: [1, 0], original: null })
    const queue = (await restorePlayer(user, true))?.queue
    expect(queue && titles(queue)).toEqual(['Track 2', 'Track 1'])
  })

  test.each([
    ['an incomplete order', { order: [0, 1, 7] }],
    ['an order that repeats', { order: [0, 1, 1] }],
    ['blocks of another window', { blocks: 'other' }],
    ['another number of tracks', { count: 4 }],
    ['tracks without fields', { columns: {} }],
  ])('is ignored when it has %s', async (_what, changes) => {
    playTracks(makeTracks(3))
    savePlace(user, state())
    writeEarlierQueue(makeTracks(3), { order: [0, 1, 2], original: null, ...changes })
    expect((await restorePlayer(user, true))?.queue.entries).toEqual([])
  })

  test('is removed with its account', async () => {
    playTracks(makeTracks(2))
    savePlace(user, state())
    writeEarlierQueue(makeTracks(2), { order: [0, 1], original: null })
    removeOtherSavedPlayers('ben')
    expect(earlierKeys()).toEqual([])
  })
})

const earlierFields = [
  'id',
  'title',
  'artist',
  'duration',
  'explicit',
  'cover_url',
  'cover_tint',
  'cover_placeholder',
  'audio_url',
  'preview_url',
  'preview_seconds',
  'loudness_lufs',
  'true_peak_dbtp',
  'ai_disclosure',
  'has_lyrics',
] as const

const inEarlierFields = (track: PlayerTrack) =>
  Object.fromEntries(earlierFields.map((field) => [field, track[field]]))

/** One block of tracks as version 0.1 wrote them: one list per field, or one value where all are equal. */
function writeEarlierQueue(
  tracks: PlayerTrack[],
  changes: {
    order: number[]
    original?: number[] | null
    blocks?: string
    count?: number
    columns?: object
  },
): void {
  const { order, original = null, blocks = 'b', count = tracks.length } = changes
  const columns: Record<string, unknown> = {}
  for (const field of earlierFields) {
    const values = tracks.map((track) => {
      const value = track[field]
      const isAddress = field === 'audio_url' || field === 'preview_url'
      return isAddress && typeof value === 'string' ? value.replace(track.id, '*') : value
    })
    columns[field] = values.every((value) => value === values[0]) ? values[0] : values
  }
  const block = { blocks, count, columns: changes.columns ?? columns }
  const saved = { blocks: 'b', sizes: [tracks.length], order, original }
  localStorage.setItem(`velour-player-tracks:${user}:0`, JSON.stringify(block))
  localStorage.setItem(`velour-player-queue:${user}`, JSON.stringify(saved))
}

test('removes the queues of other accounts, but keeps their volume', async () => {
  playTracks([makeTrack(1), makeTrack(2)], { startIndex: 1, source: 'Evening' })
  reportProgress(63.4, 180)
  setVolume(35)
  await save()
  removeOtherSavedPlayers(user)
  expect((await restorePlayer(user, true))?.queue.entries).toHaveLength(2)
  removeOtherSavedPlayers('ben')
  const restored = await restorePlayer(user, true)
  expect(restored).toMatchObject({ positionSeconds: 0, source: null, volume: 35 })
  expect(restored?.queue.entries).toEqual([])
})

test('remembers who signed out deliberately, until the mark is removed', () => {
  expect(wasSignedOut(user)).toBe(false)
  markSignedOut(user)
  expect(wasSignedOut(user)).toBe(true)
  expect(wasSignedOut('ben')).toBe(false)
  unmarkSignedOut()
  expect(wasSignedOut(user)).toBe(false)
})

test('restores the settings of a version without autoplay, and turns autoplay on', async () => {
  setVolume(20)
  await save()
  const key = `velour-player-place:${user}`
  const saved = JSON.parse(localStorage.getItem(key) ?? '') as { settings: object }
  const { autoplay: _, ...older } = saved.settings as { autoplay: boolean }
  localStorage.setItem(key, JSON.stringify({ ...saved, settings: { ...older, speed: 1.5 } }))
  const restored = await restorePlayer(user, true)
  expect(restored).toMatchObject({ volume: 20, settings: { speed: 1.5, autoplay: true } })
})

test('restores the radio station and which tracks it added', async () => {
  const station = {
    seed: { kind: 'likes' },
    title: 'Radio: from your likes',
    isAsked: true,
  } as const
  playStation(makeTracks(3), station)
  toggleShuffle()
  await save()
  const restored = await restorePlayer(user, true)
  expect(restored?.station).toEqual(station)
  const marks = restored?.queue.entries.map(({ track, by_radio }) => [track.title, by_radio])
  expect(marks?.toSorted()).toEqual([
    ['Track 1', undefined],
    ['Track 2', true],
    ['Track 3', true],
  ])
})

test('restores the position saved by a version without radio', async () => {
  playTracks(makeTracks(2))
  await save()
  const key = `velour-player-place:${user}`
  const { station: _, ...older } = JSON.parse(localStorage.getItem(key) ?? '') as { station: null }
  localStorage.setItem(key, JSON.stringify(older))
  const restored = await restorePlayer(user, true)
  expect(restored?.station).toBeNull()
  expect(restored?.queue.entries.map(({ track }) => track.title)).toEqual(['Track 1', 'Track 2'])
})
