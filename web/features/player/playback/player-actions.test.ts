import { beforeEach, describe, expect, test } from 'vitest'
import { useConnection } from '../../../base/api/connection.ts'
import {
  changeVolume,
  clearQueue,
  cycleRepeat,
  dismissPreviewEnded,
  enqueue,
  enqueueNext,
  pause,
  play,
  playEntry,
  playTracks,
  removeFromQueue,
  seekBy,
  seekTo,
  setVolume,
  skipNext,
  skipPrevious,
  toggleMute,
  togglePlay,
  toggleShuffle,
} from './player-actions.ts'
import { reportEnded, reportProgress, setListener, stopWithProblem } from './player-reports.ts'
import { initialPlayerState, selectMode, selectTrack, usePlayer } from './player-store.ts'
import { makeTrack, makeTracks } from '../../../testing/track-fixture.ts'

const state = () => usePlayer.getState()
const title = () => selectTrack(state())?.title

beforeEach(() => {
  usePlayer.setState(initialPlayerState, true)
  setListener({ user_id: 'ada', is_premium: true })
})

describe('playing a list', () => {
  test('starts immediately at the beginning of the track', () => {
    playTracks(makeTracks(3), { startIndex: 1, source: 'Browse' })
    expect(state()).toMatchObject({ playing: true, startSeconds: 0, source: 'Browse' })
    expect(state().durationSeconds).toBe(180)
    expect(title()).toBe('Track 2')
  })

  test('uses repeat all only when requested', () => {
    playTracks(makeTracks(2))
    expect(state().queue.repeat).toBe('off')
    playTracks(makeTracks(2), { repeat: 'all' })
    expect(state().queue.repeat).toBe('all')
  })

  test('starts a new instance for every request', () => {
    const instances = [1, 2, 3].map((count) => {
      playTracks(makeTracks(count))
      return state().instance
    })
    expect(new Set(instances).size).toBe(3)
    expect(state().queue.entries.length).toBe(3)
  })

  test('plays the chosen track while offline with nothing downloaded', () => {
    useConnection.setState({ connection: 'offline' })
    playTracks(makeTracks(3), { startIndex: 1 })
    useConnection.setState({ connection: 'online' })
    expect(title()).toBe('Track 2')
  })

  test('keeps the current queue when the list is empty', () => {
    playTracks(makeTracks(2))
    const before = state()
    playTracks([])
    expect(state()).toBe(before)
  })

  test('reaches the right track after twenty presses of next', () => {
    playTracks(makeTracks(30))
    for (let press = 0; press < 20; press += 1) skipNext()
    expect(title()).toBe('Track 21')
    expect(state().instance).toBe(21)
  })
})

describe('play and pause', () => {
  test('toggles playback; nothing plays without a track', () => {
    togglePlay()
    expect(state().playing).toBe(false)
    playTracks(makeTracks(1))
    togglePlay()
    expect(state().playing).toBe(false)
    togglePlay()
    expect(state().playing).toBe(true)
  })

  test('reopens the file at the same position on play after a failure', () => {
    playTracks(makeTracks(1))
    reportProgress(42, 180)
    stopWithProblem('The connection was lost.')
    const { instance } = state()
    play()
    expect(state()).toMatchObject({ playing: true, startSeconds: 42, problem: null })
    expect(state().instance).toBe(instance + 1)
  })
})

describe('at the end of a track', () => {
  test('plays the next track, and stops at the start of the last one with repeat off', () => {
    playTracks(makeTracks(2))
    reportEnded()
    expect(title()).toBe('Track 2')
    reportProgress(179, 180)
    reportEnded()
    expect(state()).toMatchObject({ playing: false, positionSeconds: 0 })
    expect(title()).toBe('Track 2')
    expect(state().seek.seconds).toBe(0)
  })

  test('starts over with repeat all and restarts the track with repeat one', () => {
    playTracks(makeTracks(2), { startIndex: 1, repeat: 'all' })
    reportEnded()
    expect(title()).toBe('Track 1')
    cycleRepeat()
    const { instance } = state()
    reportEnded()
    expect(title()).toBe('Track 1')
    expect(state()).toMatchObject({ playing: true, instance: instance + 1, startSeconds: 0 })
  })

  test('wraps from the first track to the last on previous', () => {
    playTracks(makeTracks(3))
    skipPrevious()
    expect(title()).toBe('Track 3')
  })

  test('moves to the next track, paused, with the end-of-track sleep timer', () => {
    playTracks(makeTracks(2))
    usePlayer.setState({ sleep: { kind: 'end-of-track' } })
    reportEnded()
    expect(title()).toBe('Track 2')
    expect(state()).toMatchObject({ playing: false, sleep: { kind: 'off' } })
  })
})

describe('previews', () => {
  beforeEach(() => setListener({ user_id: 'bob', is_premium: false }))

  test('plays the preview to a free member, then stops with a notice', () => {
    playTracks(makeTracks(2))
    expect(selectMode(state())).toBe('preview')
    expect(state().durationSeconds).toBe(45)
    reportEnded()
    expect(state()).toMatchObject({ playing: false, isPreviewEnded: true })
    expect(title()).toBe('Track 1')
  })

  test('keeps the notice until it is dismissed, and restarts the preview on play', () => {
    playTracks(makeTracks(1))
    reportEnded()
    pause()
    expect(state().isPreviewEnded).toBe(true)
    dismissPreviewEnded()
    expect(state().isPreviewEnded).toBe(false)
    reportEnded()
    play()
    expect(state()).toMatchObject({ playing: true, isPreviewEnded: false, startSeconds: 0 })
  })

  test('clears the notice when another track plays', () => {
    playTracks(makeTracks(2))
    reportEnded()
    skipNext()
    expect(state()).toMatchObject({ playing: true, isPreviewEnded: false })
  })

  test('plays a track without a preview in full and moves on to the next', () => {
    playTracks([makeTrack(1, { preview_url: null }), makeTrack(2)])
    expect(selectMode(state())).toBe('full')
    reportEnded()
    expect(title()).toBe('Track 2')
  })

  test('continues with the full track at the same position on upgrade during a preview', () => {
    playTracks(makeTracks(1))
    reportProgress(20, 45)
    const { instance } = state()
    setListener({ user_id: 'bob', is_premium: true })
    expect(state()).toMatchObject({ playing: true, startSeconds: 20, durationSeconds: 180 })
    expect(state().instance).toBe(instance + 1)
  })

  test('clears the notice and stays paused on upgrade after the end of a preview', () => {
    playTracks(makeTracks(1))
    reportProgress(45, 45)
    reportEnded()
    setListener({ user_id: 'bob', is_premium: true })
    expect(state()).toMatchObject({ playing: false, isPreviewEnded: false, startSeconds: 45 })
  })

  test('stops when Premium ends past the end of the preview', () => {
    setListener({ user_id: 'bob', is_premium: true })
    playTracks(makeTracks(1))
    reportProgress(100, 180)
    setListener({ user_id: 'bob', is_premium: false })
    expect(state()).toMatchObject({ playing: false, isPreviewEnded: true })
  })
})

describe('position in the track', () => {
  test('is clamped to the track', () => {
    playTracks(makeTracks(1))
    seekBy(-5)
    expect(state().seek.seconds).toBe(0)
    seekTo(500)
    expect(state().seek.seconds).toBe(180)
  })

  test('counts a seek to the same position as a new request', () => {
    playTracks(makeTracks(1))
    seekTo(30)
    const { number } = state().seek
    seekTo(30)
    expect(state().seek.number).toBe(number + 1)
  })
})

describe('volume', () => {
  test('starts at 70, changes in whole steps and stays between 0 and 100', () => {
    expect(state().volume).toBe(70)
    changeVolume(5)
    expect(state().volume).toBe(75)
    changeVolume(90)
    expect(state().volume).toBe(100)
    setVolume(-3)
    expect(state().volume).toBe(0)
  })

  test('keeps the volume while muted; changing the volume unmutes', () => {
    toggleMute()
    expect(state()).toMatchObject({ muted: true, volume: 70 })
    changeVolume(5)
    expect(state()).toMatchObject({ muted: false, volume: 75 })
  })
})

describe('the queue', () => {
  test('is edited without interrupting the current track', () => {
    playTracks(makeTracks(3))
    const { instance } = state()
    enqueue(makeTracks(9).slice(7))
    enqueueNext(makeTracks(7).slice(6))
    toggleShuffle()
    toggleShuffle()
    clearQueue()
    expect(state()).toMatchObject({ instance, playing: true })
  })

  test('restores a cleared queue on undo, unless it has changed since', () => {
    playTracks(makeTracks(3))
    const undo = clearQueue()
    expect(state().queue.entries.length).toBe(1)
    undo()
    expect(state().queue.entries.length).toBe(3)
    const tooLate = clearQueue()
    enqueue(makeTracks(1))
    tooLate()
    expect(state().queue.entries.length).toBe(2)
  })

  test('plays when tracks are added to an empty queue', () => {
    enqueue(makeTracks(2))
    expect(state().playing).toBe(true)
    expect(title()).toBe('Track 1')
  })

  test('plays the next track when the current one is removed; stops after the last', () => {
    playTracks(makeTracks(2))
    removeFromQueue(state().queue.entries[0]?.entry_id ?? 0)
    expect(title()).toBe('Track 2')
    expect(state().playing).toBe(true)
    removeFromQueue(state().queue.entries[0]?.entry_id ?? 0)
    expect(title()).toBeUndefined()
    expect(state().playing).toBe(false)
  })

  test('plays a chosen entry', () => {
    playTracks(makeTracks(4))
    playEntry(state().queue.entries[2]?.entry_id ?? 0)
    expect(title()).toBe('Track 3')
  })
})
