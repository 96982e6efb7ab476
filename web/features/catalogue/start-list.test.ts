import { beforeEach, expect, test } from 'vitest'
import { playEntry, playTracks, removeFromQueue } from '../player/playback/player-actions.ts'
import { initialPlayerState, selectTrack, usePlayer } from '../player/playback/player-store.ts'
import { makeTracks } from '../../testing/track-fixture.ts'
import { startList } from './start-list.ts'

const tracks = makeTracks(9)

beforeEach(() => usePlayer.setState(initialPlayerState))

function queued(): string[] {
  return usePlayer.getState().queue.entries.map((entry) => entry.track.title)
}

const titles = (from: number, to: number) => tracks.slice(from, to).map((track) => track.title)

/** Simulates the rest of a list, in parts. The test calls `arrive` to deliver a part. */
function slowRest(...parts: (typeof tracks)[]) {
  const gates = parts.map(() => Promise.withResolvers<void>())
  async function* rest() {
    for (const [i, part] of parts.entries()) {
      await gates[i]!.promise
      yield part
    }
  }
  return { rest, arrive: (part: number) => gates[part]!.resolve() }
}

test('starts with the loaded tracks and appends the rest in order', async () => {
  const { rest, arrive } = slowRest(tracks.slice(3, 6), tracks.slice(6))
  const started = startList({ loaded: tracks.slice(0, 3), rest }, { startIndex: 1 })
  expect(selectTrack(usePlayer.getState())?.title).toBe('Track 2')
  expect(queued()).toEqual(titles(0, 3))
  arrive(0)
  arrive(1)
  await started
  expect(queued()).toEqual(titles(0, 9))
  expect(usePlayer.getState().instance).toBe(1)
})

test('waits for the full list when the shuffle button is pressed', async () => {
  const { rest, arrive } = slowRest(tracks.slice(2))
  const started = startList({ loaded: tracks.slice(0, 2), rest }, { shuffle: true })
  expect(queued()).toEqual([])
  arrive(0)
  await started
  expect(queued().toSorted()).toEqual(titles(0, 9))
})

test('waits for the full list when shuffle is already on', async () => {
  playTracks(tracks.slice(0, 2), { shuffle: true })
  const { rest, arrive } = slowRest(tracks.slice(2))
  const started = startList({ loaded: tracks.slice(0, 2), rest }, { startIndex: 0 })
  arrive(0)
  await started
  expect(selectTrack(usePlayer.getState())?.title).toBe('Track 1')
  expect(queued().toSorted()).toEqual(titles(0, 9))
})

test('waits for the full list when the first track to play is not loaded yet', async () => {
  const { rest, arrive } = slowRest(tracks.slice(2))
  const started = startList({ loaded: tracks.slice(0, 2), rest }, { startIndex: 7, shuffle: false })
  arrive(0)
  await started
  expect(selectTrack(usePlayer.getState())?.title).toBe('Track 8')
})

test('stops loading the rest of a list when a newer list starts', async () => {
  const { rest, arrive } = slowRest(tracks.slice(3))
  const older = startList({ loaded: tracks.slice(0, 3), rest }, { startIndex: 0 })
  await startList({ loaded: tracks.slice(0, 1), rest: null }, { startIndex: 0 })
  arrive(0)
  await older
  expect(queued()).toEqual(titles(0, 1))
})

test('ignores a pending shuffle when a newer play request starts', async () => {
  const newer: (() => unknown)[] = [
    () => playTracks(tracks.slice(0, 1)),
    () => startList({ loaded: tracks.slice(0, 1), rest: null }, { shuffle: true }),
    () => playEntry(usePlayer.getState().queue.entries[1]!.entry_id),
  ]
  for (const ask of newer) {
    playTracks(tracks.slice(0, 2))
    const { rest, arrive } = slowRest(tracks.slice(5))
    const older = startList({ loaded: tracks.slice(3, 5), rest }, { shuffle: true })
    await ask()
    const chosen = queued()
    arrive(0)
    await older
    expect(queued()).toEqual(chosen)
    expect(chosen).not.toContain('Track 9')
  }
})

test('keeps playing and loading the current list while a new list is loading, even if that fails', async () => {
  const playing = slowRest(tracks.slice(2, 4))
  const first = startList({ loaded: tracks.slice(0, 2), rest: playing.rest }, { shuffle: false })
  async function* refused(): AsyncGenerator<typeof tracks> {
    yield tracks.slice(6, 7)
    throw new Error('The connection was lost.')
  }
  const second = startList({ loaded: tracks.slice(5, 6), rest: refused }, { shuffle: true })
  await expect(second).rejects.toThrow('lost')
  playing.arrive(0)
  await first
  expect(queued()).toEqual(titles(0, 4))
})

test('does not append to a list that was replaced or shortened', async () => {
  const replaced = slowRest(tracks.slice(3))
  const first = startList({ loaded: tracks.slice(0, 3), rest: replaced.rest }, { startIndex: 0 })
  playTracks(tracks.slice(5, 9))
  replaced.arrive(0)
  await first
  expect(queued()).toEqual(titles(5, 9))

  const shortened = slowRest(tracks.slice(3))
  const second = startList({ loaded: tracks.slice(0, 3), rest: shortened.rest }, { startIndex: 0 })
  removeFromQueue(usePlayer.getState().queue.entries[2]!.entry_id)
  shortened.arrive(0)
  await second
  expect(queued()).toEqual(titles(0, 2))
})
