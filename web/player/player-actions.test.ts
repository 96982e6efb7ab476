import { beforeEach, describe, expect, test } from 'vitest'
import { useConnection } from '../app/connection.ts'
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
import { makeTrack, makeTracks } from './player-track-fixture.ts'

const state = () => usePlayer.getState()
const title = () => selectTrack(state())?.title

beforeEach(() => {
  usePlayer.setState(initialPlayerState, true)
  setListener({ user_id: 'ada', is_premium: true })
})

describe('playing a list', () => {
  test('starts at once, from its beginning', () => {
    playTracks(makeTracks(3), { startIndex: 1, source: 'Browse' })
    expect(state()).toMatchObject({ playing: true, startSeconds: 0, source: 'Browse' })
    expect(state().durationSeconds).toBe(180)
    expect(title()).toBe('Track 2')
  })

  test('Play All asks for repeat all; without asking it stays off', () => {
    playTracks(makeTracks(2))
    expect(state().queue.repeat).toBe('off')
    playTracks(makeTracks(2), { repeat: 'all' })
    expect(state().queue.repeat).toBe('all')
  })

  test('every request makes the one before void', () => {
    const instances = [1, 2, 3].map((count) => {
      playTracks(makeTracks(count))
      return state().instance
    })
    expect(new Set(instances).size).toBe(3)
    expect(state().queue.entries.length).toBe(3)
  })

  test('without a connection, and nothing on this device, it is the one that was asked for', () => {
    useConnection.setState({ connection: 'offline' })
    playTracks(makeTracks(3), { startIndex: 1 })
    useConnection.setState({ connection: 'online' })
    expect(title()).toBe('Track 2')
  })

  test('an empty list changes nothing', () => {
    playTracks(makeTracks(2))
    const before = state()
    playTracks([])
    expect(state()).toBe(before)
  })

  test('twenty times next ends on the right track', () => {
    playTracks(makeTracks(30))
    for (let press = 0; press < 20; press += 1) skipNext()
    expect(title()).toBe('Track 21')
    expect(state().instance).toBe(21)
  })
})

describe('play and pause', () => {
  test('toggle; without a track nothing plays', () => {
    togglePlay()
    expect(state().playing).toBe(false)
    playTracks(makeTracks(1))
    togglePlay()
    expect(state().playing).toBe(false)
    togglePlay()
    expect(state().playing).toBe(true)
  })

  test('play after a failure opens the file again at the same place', () => {
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
  test('the next one plays; at the list end with repeat off it stops at its beginning', () => {
    playTracks(makeTracks(2))
    reportEnded()
    expect(title()).toBe('Track 2')
    reportProgress(179, 180)
    reportEnded()
    expect(state()).toMatchObject({ playing: false, positionSeconds: 0 })
    expect(title()).toBe('Track 2')
    expect(state().seek.seconds).toBe(0)
  })

  test('repeat all starts over, repeat one restarts the track', () => {
    playTracks(makeTracks(2), { startIndex: 1, repeat: 'all' })
    reportEnded()
    expect(title()).toBe('Track 1')
    cycleRepeat()
    const { instance } = state()
    reportEnded()
    expect(title()).toBe('Track 1')
    expect(state()).toMatchObject({ playing: true, instance: instance + 1, startSeconds: 0 })
  })

  test('previous from the first wraps to the last', () => {
    playTracks(makeTracks(3))
    skipPrevious()
    expect(title()).toBe('Track 3')
  })

  test('a sleep timer for the end of the track goes on to the next one, paused', () => {
    playTracks(makeTracks(2))
    usePlayer.setState({ sleep: { kind: 'end-of-track' } })
    reportEnded()
    expect(title()).toBe('Track 2')
    expect(state()).toMatchObject({ playing: false, sleep: { kind: 'off' } })
  })
})

describe('previews', () => {
  beforeEach(() => setListener({ user_id: 'bob', is_premium: false }))

  test('a free member hears the preview, which stops and says so', () => {
    playTracks(makeTracks(2))
    expect(selectMode(state())).toBe('preview')
    expect(state().durationSeconds).toBe(45)
    reportEnded()
    expect(state()).toMatchObject({ playing: false, isPreviewEnded: true })
    expect(title()).toBe('Track 1')
  })

  test('the notice stays until it is dismissed, and then play starts the preview anew', () => {
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

  test('another track ends the notice', () => {
    playTracks(makeTracks(2))
    reportEnded()
    skipNext()
    expect(state()).toMatchObject({ playing: true, isPreviewEnded: false })
  })

  test('a track without preview plays in full, and leads on to the next', () => {
    playTracks([makeTrack(1, { preview_url: null }), makeTrack(2)])
    expect(selectMode(state())).toBe('full')
    reportEnded()
    expect(title()).toBe('Track 2')
  })

  test('Premium in the middle of a preview goes on in the whole track, at the same place', () => {
    playTracks(makeTracks(1))
    reportProgress(20, 45)
    const { instance } = state()
    setListener({ user_id: 'bob', is_premium: true })
    expect(state()).toMatchObject({ playing: true, startSeconds: 20, durationSeconds: 180 })
    expect(state().instance).toBe(instance + 1)
  })

  test('Premium after the end of a preview takes the notice away and waits for play', () => {
    playTracks(makeTracks(1))
    reportProgress(45, 45)
    reportEnded()
    setListener({ user_id: 'bob', is_premium: true })
    expect(state()).toMatchObject({ playing: false, isPreviewEnded: false, startSeconds: 45 })
  })

  test('Premium lost behind the end of the preview stops there', () => {
    setListener({ user_id: 'bob', is_premium: true })
    playTracks(makeTracks(1))
    reportProgress(100, 180)
    setListener({ user_id: 'bob', is_premium: false })
    expect(state()).toMatchObject({ playing: false, isPreviewEnded: true })
  })
})

describe('the place in the track', () => {
  test('stays inside of it', () => {
    playTracks(makeTracks(1))
    seekBy(-5)
    expect(state().seek.seconds).toBe(0)
    seekTo(500)
    expect(state().seek.seconds).toBe(180)
  })

  test('the same place again is a new wish', () => {
    playTracks(makeTracks(1))
    seekTo(30)
    const { number } = state().seek
    seekTo(30)
    expect(state().seek.number).toBe(number + 1)
  })
})

describe('volume', () => {
  test('starts at 70, moves in whole steps, and stays between 0 and 100', () => {
    expect(state().volume).toBe(70)
    changeVolume(5)
    expect(state().volume).toBe(75)
    changeVolume(90)
    expect(state().volume).toBe(100)
    setVolume(-3)
    expect(state().volume).toBe(0)
  })

  test('mute keeps the volume; a wish for sound ends it', () => {
    toggleMute()
    expect(state()).toMatchObject({ muted: true, volume: 70 })
    changeVolume(5)
    expect(state()).toMatchObject({ muted: false, volume: 75 })
  })
})

describe('the queue', () => {
  test('edits never interrupt what plays', () => {
    playTracks(makeTracks(3))
    const { instance } = state()
    enqueue(makeTracks(9).slice(7))
    enqueueNext(makeTracks(7).slice(6))
    toggleShuffle()
    toggleShuffle()
    clearQueue()
    expect(state()).toMatchObject({ instance, playing: true })
  })

  test('clearing can be taken back, unless the queue has changed since', () => {
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

  test('adding to an empty queue plays', () => {
    enqueue(makeTracks(2))
    expect(state().playing).toBe(true)
    expect(title()).toBe('Track 1')
  })

  test('removing the current track plays the next; the last one stops', () => {
    playTracks(makeTracks(2))
    removeFromQueue(state().queue.entries[0]?.entry_id ?? 0)
    expect(title()).toBe('Track 2')
    expect(state().playing).toBe(true)
    removeFromQueue(state().queue.entries[0]?.entry_id ?? 0)
    expect(title()).toBeUndefined()
    expect(state().playing).toBe(false)
  })

  test('an entry can be played directly', () => {
    playTracks(makeTracks(4))
    playEntry(state().queue.entries[2]?.entry_id ?? 0)
    expect(title()).toBe('Track 3')
  })
})
