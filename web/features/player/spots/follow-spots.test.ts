// Spots between songs, with simulated media elements and server responses.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Spot } from '#contract/spots.ts'
import { useConnection } from '../../../base/api/connection.ts'
import {
  simulatedElements,
  type Files,
  type SimulatedAudio,
} from '../../../testing/simulated-audio.ts'
import { makeSpot, offerOfPremium } from '../../../testing/spot-fixture.ts'
import { makeTrack, makeTracks } from '../../../testing/track-fixture.ts'
import { playbackSource } from '../engine/playback-source.ts'
import { connectPlayer } from '../playback/connect-player.ts'
import {
  changeSettings,
  cycleRepeat,
  pause,
  play,
  playEntry,
  playTracks,
  seekTo,
  setSleepTimer,
  setVolume,
  skipNext,
  skipPrevious,
} from '../playback/player-actions.ts'
import { setListener } from '../playback/player-reports.ts'
import {
  initialPlayerState,
  selectTrack,
  usePlayer,
  type Listener,
} from '../playback/player-store.ts'
import { followSpots } from './follow-spots.ts'

const free: Listener = { user_id: 'ada', is_premium: false }
/** Tracks without previews, so that songs follow each other automatically. */
const songs = (count: number) => makeTracks(count).map((track) => ({ ...track, preview_url: null }))
const sound = makeSpot()
const state = () => usePlayer.getState()
const title = () => selectTrack(state())?.title
const spotTitle = () => state().spot?.spot.title
let decks: readonly [SimulatedAudio, SimulatedAudio]
let answer: () => Spot | null
let reports: string[]
let refusal: number | null
let ends: (() => void)[]

function filesOf(): Files {
  const files: [string, number][] = songs(6).flatMap((track, at) => [
    [playbackSource(track, true).url, 10],
    [playbackSource(makeTrack(at + 1), false).url, 8],
  ])
  return Object.fromEntries([...files, [sound.audio_url ?? '', 6]])
}

async function respond(address: string, init?: { method?: string; body?: string }) {
  const { pathname } = new URL(address, 'https://velour.test')
  if (pathname === '/api/spots/next') return Response.json({ data: answer() })
  if (pathname.startsWith('/api/spot-shows/')) {
    const { event } = JSON.parse(init?.body ?? '{}') as { event: string }
    reports.push(event)
    if (refusal === null) return new Response(null, { status: 204 })
    const error = { code: 'conflict', message: 'No.' }
    return Response.json({ error }, { status: refusal })
  }
  return new Response('sound')
}

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)
const sounding = () => decks.filter((deck) => !deck.paused).map((deck) => deck.src)
const fileOf = (number: number) => playbackSource(songs(number)[number - 1]!, true).url
const starts = () => decks.flatMap((deck) => deck.starts)

function connect(files = filesOf()): void {
  const { simulated, elements } = simulatedElements(files)
  decks = simulated
  const needs = { refreshListener: async () => free, confirmPlace: async () => {} }
  ends = [connectPlayer(elements, needs), followSpots()]
}

beforeEach(() => {
  vi.useFakeTimers()
  answer = () => sound
  reports = []
  refusal = null
  vi.stubGlobal('fetch', respond)
  useConnection.setState({ connection: 'online' })
  usePlayer.setState(initialPlayerState, true)
  setListener(free)
  connect()
})
afterEach(() => {
  for (const end of ends) end()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a spot with a sound', () => {
  test('plays after the song has ended, then the next song plays', async () => {
    playTracks(songs(3))
    await pass(9.9)
    expect([title(), spotTitle()]).toEqual(['Track 1', undefined])
    expect(sounding()).toEqual([fileOf(1)])
    await pass(2)
    expect(spotTitle()).toBe('New album on Friday')
    expect(sounding()).toEqual([sound.audio_url])
    expect(state()).toMatchObject({ playing: true, durationSeconds: 6 })
    answer = () => null
    await pass(5.5)
    expect([title(), spotTitle()]).toEqual(['Track 2', undefined])
    expect(sounding()).toEqual([fileOf(2)])
    await pass(10)
    expect(title()).toBe('Track 3')
    expect(reports).toEqual(['started', 'finished'])
  })

  test('plays both songs in full, without a crossfade on either side of the spot', async () => {
    changeSettings({ crossfade_seconds: 4 })
    playTracks(songs(2))
    await pass(9.8)
    expect(sounding()).toEqual([fileOf(1)])
    expect(decks.find((deck) => !deck.paused)?.volume).toBeCloseTo(0.49)
    await pass(4)
    expect(sounding()).toEqual([sound.audio_url])
    expect(decks.find((deck) => !deck.paused)?.volume).toBeCloseTo(0.49)
    answer = () => null
    await pass(3)
    expect(sounding()).toEqual([fileOf(2)])
    expect(starts()).toContain(`${fileOf(2)}@0`)
  })

  test('does not interrupt a song when the response with the spot arrives late', async () => {
    playTracks(songs(3))
    await pass(9)
    usePlayer.setState({ spotAhead: null })
    await pass(3)
    expect(title()).toBe('Track 2')
    usePlayer.setState({ spotAhead: { spot: sound, show_id: 'late', instance: 1 } })
    await pass(2)
    expect(sounding()).toEqual([fileOf(2)])
  })

  test("plays at the songs' loudness and at normal speed", async () => {
    setVolume(100)
    changeSettings({ levelling: false, speed: 2 })
    answer = () => makeSpot({ loudness_lufs: -8 })
    playTracks(songs(2))
    await pass(7)
    const deck = decks.find((one) => !one.paused)
    expect(deck?.src).toBe(sound.audio_url)
    expect(deck?.volume).toBeCloseTo(0.5, 1)
    expect(deck?.playbackRate).toBe(1)
    answer = () => null
    await pass(6)
    expect(decks.find((one) => !one.paused)).toMatchObject({ src: fileOf(2), playbackRate: 2 })
  })

  test('can be paused and resumed, but not seeked, and next works after it', async () => {
    playTracks(songs(3))
    await pass(12)
    pause()
    expect(sounding()).toEqual([])
    play()
    seekTo(5.9)
    skipNext()
    skipPrevious()
    await pass(1)
    expect(sounding()).toEqual([sound.audio_url])
    expect(state().positionSeconds).toBeLessThan(4)
    answer = () => null
    await pass(4)
    expect(title()).toBe('Track 2')
    skipNext()
    expect(title()).toBe('Track 3')
  })

  test('can be skipped when the owner allows it', async () => {
    answer = () => makeSpot({ skip_after_seconds: 2 })
    playTracks(songs(3))
    await pass(11)
    skipNext()
    expect(spotTitle()).toBeDefined()
    await pass(2)
    skipNext()
    await pass(0.5)
    expect([title(), spotTitle()]).toEqual(['Track 2', undefined])
    expect(sounding()).toEqual([fileOf(2)])
    expect(reports).toEqual(['started'])
  })

  test('plays before a song that the listener chooses, and before the next song after a preview', async () => {
    playTracks(makeTracks(4))
    await pass(12)
    expect(state()).toMatchObject({ playing: false, isPreviewEnded: true })
    skipNext()
    await pass(1)
    expect([title(), sounding()]).toEqual(['Track 2', [sound.audio_url]])
    const third = state().queue.entries[2]?.entry_id ?? 0
    playEntry(third)
    await pass(1)
    expect([title(), sounding()]).toEqual(['Track 3', [sound.audio_url]])
    answer = () => null
    await pass(6)
    expect(spotTitle()).toBeUndefined()
    expect(sounding()).toEqual([playbackSource(makeTrack(3), false).url])
  })

  test('plays between repeats of a song, but not at the end of the list', async () => {
    playTracks(songs(1))
    cycleRepeat()
    cycleRepeat()
    expect(state().queue.repeat).toBe('one')
    await pass(12)
    expect(sounding()).toEqual([sound.audio_url])
    answer = () => null
    await pass(6)
    expect(sounding()).toEqual([fileOf(1)])
    answer = () => sound
    usePlayer.setState(({ queue }) => ({ queue: { ...queue, repeat: 'off' } }))
    await pass(12)
    expect(sounding()).toEqual([])
    expect(state()).toMatchObject({ playing: false, positionSeconds: 0, spot: null })
  })

  test('does not play after the sleep timer has stopped the music', async () => {
    playTracks(songs(2))
    setSleepTimer({ kind: 'end-of-track' })
    await pass(12)
    expect(sounding()).toEqual([])
    expect([title(), state().spot]).toEqual(['Track 2', null])
  })

  test('plays before autoplay continues', async () => {
    playTracks(songs(1))
    const afterEntryId = state().queue.entries[0]?.entry_id ?? 0
    const station = { seed: { kind: 'likes' }, title: 'Radio', isAsked: false } as const
    usePlayer.setState({ radioAhead: { tracks: songs(3).slice(1), station, afterEntryId } })
    await pass(12)
    expect([title(), sounding()]).toEqual(['Track 2', [sound.audio_url]])
    answer = () => null
    await pass(6)
    expect(sounding()).toEqual([fileOf(2)])
  })

  test('ends immediately when the member gets Premium', async () => {
    playTracks(songs(2))
    await pass(12)
    setListener({ ...free, is_premium: true })
    await pass(1)
    expect([title(), sounding()]).toEqual(['Track 2', [fileOf(2)]])
  })
})

describe('playback continues with the next song', () => {
  test("when the spot's file fails to load", async () => {
    ends.forEach((end) => end())
    const files = filesOf()
    delete files[sound.audio_url ?? '']
    connect(files)
    playTracks(songs(2))
    await pass(11)
    expect([title(), spotTitle(), sounding()]).toEqual(['Track 2', undefined, [fileOf(2)]])
    expect(reports).toEqual([])
  })

  test("when the spot's file stalls", async () => {
    playTracks(songs(2))
    await pass(11)
    decks.find((deck) => !deck.paused)?.stall()
    await pass(4)
    expect([title(), sounding()]).toEqual(['Track 2', [fileOf(2)]])
  })

  test('when the server rejects the spot', async () => {
    refusal = 409
    playTracks(songs(2))
    await pass(12)
    expect([title(), sounding()]).toEqual(['Track 2', [fileOf(2)]])
  })

  test('when the server does not respond', async () => {
    vi.stubGlobal('fetch', async (address: string) => {
      if (address.includes('/api/spots/next')) throw new TypeError('no network')
      return new Response('sound')
    })
    playTracks(songs(2))
    await pass(12)
    expect([title(), sounding()]).toEqual(['Track 2', [fileOf(2)]])
  })

  test('for Premium members, without requesting a spot', async () => {
    const asked: string[] = []
    vi.stubGlobal('fetch', async (address: string) => {
      asked.push(address)
      return respond(address)
    })
    setListener({ ...free, is_premium: true })
    playTracks(songs(2))
    await pass(12)
    expect([title(), sounding()]).toEqual(['Track 2', [fileOf(2)]])
    expect(asked).toEqual([])
  })
})

describe('a card', () => {
  test.each([
    ['of the owner', makeSpot({ kind: 'card', audio_url: null })],
    ['that offers Premium', offerOfPremium],
  ])('%s is shown when the next song starts, without delaying it', async (_, card) => {
    answer = () => card
    changeSettings({ crossfade_seconds: 3 })
    playTracks(songs(3))
    await pass(6)
    expect(state().card).toBeNull()
    await pass(2.5)
    expect(sounding()).toHaveLength(2)
    expect(state().card?.spot.title).toBe(card.title)
    answer = () => null
    await pass(20)
    expect(reports).toEqual(['started', 'finished'])
    await pass(12)
    expect(state().card).toBeNull()
    expect(starts().some((start) => start.includes('/api/spots/'))).toBe(false)
  })
})
