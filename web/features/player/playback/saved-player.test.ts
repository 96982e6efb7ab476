import { beforeEach, describe, expect, test } from 'vitest'
import {
  clearQueue,
  enqueueNext,
  moveInQueue,
  playStation,
  playTracks,
  removeFromQueue,
  setVolume,
  toggleShuffle,
} from './player-actions.ts'
import { reportProgress, setListener } from './player-reports.ts'
import { initialPlayerState, usePlayer } from './player-store.ts'
import { makeTrack, makeTracks } from '../../../testing/player-track-fixture.ts'
import { currentEntry, toggleShuffle as unshuffle } from '../queue/play-queue.ts'
import { QueueWriter } from '../queue/queue-writer.ts'
import {
  forgetOtherPlayers,
  markSignedOut,
  restorePlayer,
  savePlace,
  unmarkSignedOut,
  wasSignedOut,
} from './saved-player.ts'
import { forgetQueue } from '../queue/saved-queue.ts'

const user = 'ada'
const state = () => usePlayer.getState()

/** Saves the current queue completely. Returns the number of steps. */
function saveQueue(writer: QueueWriter): number {
  writer.begin(state().queue)
  let steps = 0
  for (; writer.isBusy; steps += 1) writer.step()
  return steps
}

function save(writer = new QueueWriter(user)): void {
  saveQueue(writer)
  savePlace(user, state(), writer.cutBefore)
}

beforeEach(() => {
  localStorage.clear()
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
  save()
  const restored = await restorePlayer(user, true)
  const tracks = (queue = state().queue) => queue.entries.map((entry) => entry.track)
  expect(tracks(restored?.queue)).toEqual(tracks())
  expect(restored).toMatchObject({ startSeconds: 63.4, positionSeconds: 63.4, volume: 35 })
  expect(restored).toMatchObject({ source: 'Evening', queue: { index: 1, repeat: 'all' } })
})

test('restores a shuffled order and the original one', async () => {
  playTracks(makeTracks(30), { startIndex: 4 })
  toggleShuffle()
  save()
  const titles = (queue = state().queue) => queue.entries.map(({ track }) => track.title)
  const queue = (await restorePlayer(user, true))?.queue
  expect(titles(queue)).toEqual(titles())
  expect(queue && titles(unshuffle(queue))).toEqual(makeTracks(30).map((track) => track.title))
})

test('starts at the beginning when the position is past the end of a preview', async () => {
  playTracks(makeTracks(1))
  reportProgress(100, 180)
  save()
  expect(await restorePlayer(user, false)).toMatchObject({ startSeconds: 0, durationSeconds: 45 })
})

test('does not restore the player of another account', async () => {
  playTracks(makeTracks(2))
  save()
  expect(await restorePlayer('bob', true)).toBeNull()
})

test('removes the queue but keeps volume and settings', async () => {
  playTracks(makeTracks(2))
  setVolume(20)
  save()
  forgetQueue(user)
  expect(await restorePlayer(user, true)).toMatchObject({
    volume: 20,
    queue: { index: -1, entries: [] },
  })
})

describe('ignores invalid saved data', () => {
  const keyOf = (part: string) => `velour-player-${part}:${user}${part === 'tracks' ? ':0' : ''}`
  const change = (key: string, part: object) => {
    const saved = JSON.parse(localStorage.getItem(keyOf(key)) ?? '{}') as object
    localStorage.setItem(keyOf(key), JSON.stringify({ ...saved, ...part }))
  }
  beforeEach(() => {
    playTracks(makeTracks(3))
    save()
  })

  test.each(['', 'null', '{', '[]', '{"volume":"loud"}', '{"index":0}'])(
    'a position like %s',
    async (text) => {
      localStorage.setItem(keyOf('place'), text)
      expect(await restorePlayer(user, true)).toBeNull()
    },
  )

  test.each(['{', '{"blocks":"x","sizes":[3],"order":[0,1,2],"original":null}'])(
    'an order like %s',
    async (text) => {
      localStorage.setItem(keyOf('queue'), text)
      expect((await restorePlayer(user, true))?.queue.entries).toEqual([])
    },
  )

  test.each([[[0, 0, 1]], [[0, 1, 7]], [[-1, 0, 1]]])('the order %j', async (order) => {
    change('queue', { order })
    expect((await restorePlayer(user, true))?.queue.entries).toEqual([])
  })

  test('an original order with other tracks', async () => {
    change('queue', { original: [0, 1] })
    expect((await restorePlayer(user, true))?.queue.entries).toEqual([])
  })

  test.each([{ columns: {} }, { columns: { id: 'no uuid' } }, { count: 4 }, { blocks: 'other' }])(
    'tracks with %j',
    async (part) => {
      change('tracks', part)
      expect((await restorePlayer(user, true))?.queue.entries).toEqual([])
    },
  )

  test('tracks that another tab wrote in between', async () => {
    const writer = new QueueWriter(user)
    saveQueue(writer)
    playTracks(makeTracks(2))
    saveQueue(new QueueWriter(user))
    playTracks(makeTracks(3))
    save(writer)
    expect((await restorePlayer(user, true))?.queue.entries.length).toBe(3)
  })

  test('an index outside the queue', async () => {
    savePlace(user, { ...state(), queue: { ...state().queue, index: 3 } })
    expect((await restorePlayer(user, true))?.queue.index).toBe(-1)
  })
})

/** Varied like a real catalogue: every field that can differ does. */
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

/** All localStorage entries by key. */
const kept = () => ({ ...localStorage }) as Record<string, string>
const charactersIn = (items: Record<string, string>) => Object.values(items).join('').length

test('fits 20,000 tracks into the storage limit without a long step', async () => {
  playTracks(realisticTracks(20_000), { shuffle: true })
  const writer = new QueueWriter(user)
  writer.begin(state().queue)
  let longestStep = 0
  while (writer.isBusy) {
    const before = kept()
    writer.step()
    const written = Object.entries(kept()).filter(([key, text]) => before[key] !== text)
    longestStep = Math.max(longestStep, charactersIn(Object.fromEntries(written)))
  }
  savePlace(user, state())
  expect((await restorePlayer(user, true))?.queue.entries.length).toBe(20_000)
  // Browsers limit localStorage to 5 Mi characters per origin.
  expect(charactersIn(kept())).toBeLessThan(4_500_000)
  expect(longestStep).toBeLessThan(300_000)
})

test('rewrites only the order on shuffle, move and remove, and writes added tracks once', async () => {
  playTracks(makeTracks(2000))
  const writer = new QueueWriter(user)
  expect(saveQueue(writer)).toBe(9)
  const tracksBefore = localStorage.getItem(`velour-player-tracks:${user}:0`)
  toggleShuffle()
  expect(saveQueue(writer)).toBe(1)
  moveInQueue(state().queue.entries[3]!.entry_id, 1500)
  removeFromQueue(state().queue.entries[7]!.entry_id)
  expect(saveQueue(writer)).toBe(1)
  enqueueNext([makeTrack(9999)])
  expect(saveQueue(writer)).toBe(2)
  expect(localStorage.getItem(`velour-player-tracks:${user}:0`)).toBe(tracksBefore)
  savePlace(user, state())
  const titles = (queue = state().queue) => queue.entries.map(({ track }) => track.title)
  const restored = (await restorePlayer(user, true))!.queue
  expect(titles(restored)).toEqual(titles())
  expect(titles(unshuffle(restored))).toEqual(titles(unshuffle(state().queue)))
})

test('drops removed tracks from storage', async () => {
  playTracks(makeTracks(5000))
  const writer = new QueueWriter(user)
  saveQueue(writer)
  const whole = charactersIn(kept())
  clearQueue()
  saveQueue(writer)
  expect(charactersIn(kept())).toBeLessThan(whole / 100)
})

test('saves an edit made while writing', async () => {
  playTracks(makeTracks(1000))
  const writer = new QueueWriter(user)
  writer.begin(state().queue)
  writer.step()
  toggleShuffle()
  save(writer)
  const ids = (queue = state().queue) => queue.entries.map(({ track }) => track.id)
  expect(ids((await restorePlayer(user, true))?.queue)).toEqual(ids())
})

test('saves the tracks around the current one when the queue does not fit', async () => {
  localStorage.setItem('other', 'x'.repeat(4_600_000))
  playTracks(realisticTracks(20_000), { startIndex: 9000 })
  save()
  const queue = (await restorePlayer(user, true))?.queue
  expect(queue?.entries.length).toBe(1000)
  expect(queue && currentEntry(queue)?.track.title).toBe('A title of usual length 9000')
})

test('drops the queues of other accounts but keeps their volume', async () => {
  playTracks([makeTrack(1), makeTrack(2)], { startIndex: 1, source: 'Evening' })
  reportProgress(63.4, 180)
  setVolume(35)
  save()
  forgetOtherPlayers(user)
  expect((await restorePlayer(user, true))?.queue.entries).toHaveLength(2)
  forgetOtherPlayers('ben')
  const restored = await restorePlayer(user, true)
  expect(restored).toMatchObject({ positionSeconds: 0, source: null, volume: 35 })
  expect(restored?.queue.entries).toEqual([])
  expect(Object.keys(localStorage).filter((key) => key.includes('tracks'))).toEqual([])
})

test('distinguishes a deliberate sign-out from a lost session in other windows', () => {
  expect(wasSignedOut(user)).toBe(false)
  markSignedOut(user)
  expect(wasSignedOut(user)).toBe(true)
  expect(wasSignedOut('ben')).toBe(false)
  unmarkSignedOut()
  expect(wasSignedOut(user)).toBe(false)
})

test('settings of a version without autoplay are kept, and autoplay is on', async () => {
  setVolume(20)
  save()
  const key = `velour-player-place:${user}`
  const saved = JSON.parse(localStorage.getItem(key) ?? '') as { settings: object }
  const { autoplay: _, ...older } = saved.settings as { autoplay: boolean }
  localStorage.setItem(key, JSON.stringify({ ...saved, settings: { ...older, speed: 1.5 } }))
  const restored = await restorePlayer(user, true)
  expect(restored).toMatchObject({ volume: 20, settings: { speed: 1.5, autoplay: true } })
})

test('restores the station and the marks of what it added', async () => {
  const station = {
    seed: { kind: 'likes' },
    title: 'Radio: from your likes',
    isAsked: true,
  } as const
  playStation(makeTracks(3), station)
  toggleShuffle()
  save()
  const restored = await restorePlayer(user, true)
  expect(restored?.station).toEqual(station)
  const marks = restored?.queue.entries.map(({ track, by_radio }) => [track.title, by_radio])
  expect(marks?.toSorted()).toEqual([
    ['Track 1', undefined],
    ['Track 2', true],
    ['Track 3', true],
  ])
})

test('restores a queue of a version without radio', async () => {
  playTracks(makeTracks(2))
  save()
  for (const key of Object.keys(localStorage)) {
    const {
      by_radio: _,
      station: __,
      ...older
    } = JSON.parse(localStorage.getItem(key) ?? '') as Record<string, unknown>
    localStorage.setItem(key, JSON.stringify(older))
  }
  const restored = await restorePlayer(user, true)
  expect(restored?.station).toBeNull()
  expect(restored?.queue.entries.map(({ track }) => track.title)).toEqual(['Track 1', 'Track 2'])
})
