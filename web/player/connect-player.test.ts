import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { useConnection } from '../app/connection.ts'
import { keptAudioUrl } from '../offline/kept-files.ts'
import { nothingKept, useKept } from '../offline/kept-store.ts'
import { connectPlayer } from './connect-player.ts'
import { playbackSource } from './playback-source.ts'
import {
  changeSettings,
  pause,
  play,
  playTracks,
  seekTo,
  setSleepTimer,
  setVolume,
  skipNext,
  skipPrevious,
  toggleMute,
} from './player-actions.ts'
import { reportElsewhere, setListener } from './player-reports.ts'
import { initialPlayerState, selectTrack, usePlayer, type Listener } from './player-store.ts'
import { makeTrack, makeTracks } from './player-track-fixture.ts'
import {
  simulatedElements,
  simulatedLatencyMs,
  type Files,
  type SimulatedAudio,
} from './simulated-audio.ts'
import { sleepIn } from './sleep-timer.ts'

const premium: Listener = { user_id: 'ada', is_premium: true }
const lengthSeconds = 10
const state = () => usePlayer.getState()
const title = () => selectTrack(state())?.title
let decks: readonly [SimulatedAudio, SimulatedAudio]
let listener: Listener | null
let answer: () => Response
let confirmPlace: () => void
let disconnect: () => void

/** Every file of the tracks, whole and preview. */
function filesOf(count: number): Files {
  return Object.fromEntries(
    makeTracks(count).flatMap((track) => [
      [playbackSource(track, true).url, lengthSeconds],
      [playbackSource(track, false).url, 4],
    ]),
  )
}

function connect(files = filesOf(8)): void {
  const { simulated, elements } = simulatedElements(files)
  decks = simulated
  disconnect = connectPlayer(elements, {
    refreshListener: async () => listener,
    confirmPlace: async () => confirmPlace(),
  })
}

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)
const active = () => decks.find((deck) => deck.dataset.active) as SimulatedAudio
const sounding = () => decks.filter((deck) => !deck.paused)
const fileOf = (number: number) => playbackSource(makeTrack(number), true).url

beforeEach(() => {
  vi.useFakeTimers()
  listener = premium
  answer = () => new Response('sound')
  confirmPlace = () => {}
  vi.stubGlobal('fetch', async () => answer())
  usePlayer.setState(initialPlayerState, true)
  setListener(premium)
  connect()
})
afterEach(() => {
  disconnect()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('the sound follows the listener', () => {
  test('plays, pauses, goes on and seeks', async () => {
    playTracks(makeTracks(2))
    await pass(2)
    expect(active().src).toBe(fileOf(1))
    expect(state().positionSeconds).toBeGreaterThan(1.5)
    pause()
    expect(sounding()).toEqual([])
    play()
    seekTo(7)
    await pass(1)
    expect(state().positionSeconds).toBeGreaterThan(7.4)
    expect(sounding()).toEqual([active()])
  })

  test('the newest of many requests plays, alone, and the older ones never sound', async () => {
    playTracks(makeTracks(8), { repeat: 'all' })
    for (let press = 0; press < 20; press += 1) skipNext()
    await pass(1)
    expect(title()).toBe('Track 5')
    expect(sounding().map((deck) => deck.src)).toEqual([fileOf(5)])
    expect(decks.flatMap((deck) => deck.starts)).toEqual([`${fileOf(5)}@0`])
  })

  test('volume, mute and speed reach both elements', () => {
    setVolume(50)
    toggleMute()
    changeSettings({ speed: 1.5 })
    for (const deck of decks) {
      expect(deck.volume).toBeCloseTo(0.25)
      expect(deck).toMatchObject({ muted: true, playbackRate: 1.5, preservesPitch: true })
    }
  })

  test('levelling lowers a loud track, and can be turned off while it plays', async () => {
    setVolume(100)
    playTracks([makeTrack(1, { loudness_lufs: -8 })])
    await pass(0.5)
    expect(active().volume).toBeCloseTo(0.5, 1)
    changeSettings({ levelling: false })
    expect(active().volume).toBe(1)
  })

  test('what starts or stops it from outside shows', async () => {
    playTracks(makeTracks(1))
    await pass(1)
    active().pause()
    await pass(0.1)
    expect(state().playing).toBe(false)
    void active().play()
    await pass(0.1)
    expect(state().playing).toBe(true)
  })

  test('after the connection ends there is no sound', async () => {
    playTracks(makeTracks(1))
    await pass(1)
    disconnect()
    expect(sounding()).toEqual([])
  })
})

describe('from one track to the next', () => {
  /** Milliseconds between the last sound of a track and the first of the next; below 0 they overlap. */
  async function measureGap(): Promise<number> {
    const before = active()
    let endedAtMs = 0
    let startedAtMs = 0
    before.addEventListener('ended', () => (endedAtMs = performance.now()), { once: true })
    const other = decks.find((deck) => deck !== before) as SimulatedAudio
    const watch = setInterval(() => {
      if (startedAtMs === 0 && other.volume > 0.01 && other.currentTime > 0) {
        startedAtMs = performance.now()
      }
    }, 1)
    const instance = state().instance
    while (state().instance === instance) await pass(0.05)
    await pass(1)
    clearInterval(watch)
    return startedAtMs - endedAtMs
  }

  test('the next one starts early by what starts take, so that no gap is heard', async () => {
    playTracks(makeTracks(3))
    await pass(6)
    expect(Math.abs(await measureGap())).toBeLessThanOrEqual(20)
    expect(title()).toBe('Track 2')
    expect(active().src).toBe(fileOf(2))
    await pass(5)
    expect(Math.abs(await measureGap())).toBeLessThanOrEqual(20)
    expect(simulatedLatencyMs).toBeGreaterThan(50)
  })

  test('so it does after a track whose file had to be asked for again', async () => {
    playTracks(makeTracks(3))
    await pass(3)
    active().error = { code: 2 }
    active().dispatchEvent(new Event('error'))
    await pass(4)
    expect(active().starts.filter((start) => start.startsWith(fileOf(1)))).toHaveLength(2)
    expect(Math.abs(await measureGap())).toBeLessThanOrEqual(20)
    expect(title()).toBe('Track 2')
  })

  test('a crossfade lets both sound, and the older one leaves', async () => {
    changeSettings({ crossfade_seconds: 3 })
    playTracks(makeTracks(2))
    await pass(8.5)
    expect(title()).toBe('Track 2')
    expect(sounding().length).toBe(2)
    const [from, to] = [decks.find((deck) => deck !== active()), active()]
    const powers = [from, to].map((deck) => ((deck?.volume ?? 0) / 0.49) ** 2)
    expect((powers[0] ?? 0) + (powers[1] ?? 0)).toBeCloseTo(1, 1)
    await pass(2.5)
    expect(sounding()).toEqual([to])
    expect(to.volume).toBeCloseTo(0.49)
  })

  test('a pause in the middle of a crossfade silences both', async () => {
    changeSettings({ crossfade_seconds: 3 })
    playTracks(makeTracks(2))
    await pass(8.5)
    pause()
    expect(sounding()).toEqual([])
    play()
    await pass(0.5)
    expect(sounding()).toEqual([active()])
  })

  test('repeat one plays the same track again without a stop', async () => {
    playTracks(makeTracks(2), { repeat: 'one' })
    await pass(12)
    expect(title()).toBe('Track 1')
    expect(state()).toMatchObject({ playing: true, instance: 2 })
    expect(state().positionSeconds).toBeLessThan(3)
  })

  test('the list end with repeat off is silent', async () => {
    playTracks(makeTracks(2), { startIndex: 1 })
    await pass(12)
    expect(sounding()).toEqual([])
    expect(state()).toMatchObject({ playing: false, positionSeconds: 0 })
  })

  test('a queue changed in the last moment decides what follows', async () => {
    playTracks(makeTracks(4))
    await pass(8)
    const { queue } = state()
    usePlayer.setState({ queue: { ...queue, entries: queue.entries.toSpliced(1, 1) } })
    await pass(4)
    expect(title()).toBe('Track 3')
    expect(sounding().map((deck) => deck.src)).toEqual([fileOf(3)])
  })

  test('previous and next use what is there already', async () => {
    playTracks(makeTracks(3))
    await pass(4)
    skipNext()
    expect(sounding().map((deck) => deck.src)).toEqual([fileOf(2)])
    skipPrevious()
    await pass(0.5)
    expect(sounding().map((deck) => deck.src)).toEqual([fileOf(1)])
    expect(active().currentTime).toBeLessThan(1)
  })

  test('a preview stops at its end and nothing follows', async () => {
    setListener({ ...premium, is_premium: false })
    playTracks(makeTracks(2))
    await pass(6)
    expect(sounding()).toEqual([])
    expect(state()).toMatchObject({ playing: false, isPreviewEnded: true })
    expect(title()).toBe('Track 1')
  })

  test('the sleep timer fades and stops', async () => {
    playTracks(makeTracks(8), { repeat: 'all' })
    setSleepTimer(sleepIn(1, Date.now()))
    await pass(50)
    expect(active().volume).toBeLessThan(0.3)
    await pass(11)
    expect(sounding()).toEqual([])
    expect(state().sleep).toEqual({ kind: 'off' })
    play()
    expect(active().volume).toBeCloseTo(0.49)
  })
})

describe('where the connection comes and goes', () => {
  const keptFileOf = (number: number) => keptAudioUrl('ada', makeTrack(number).id)
  const keptPerson = {
    user_id: 'ada',
    display_name: 'Ada',
    subscription_tier: 'premium',
    is_signed_in: true,
    lease_ends_ms: Infinity,
    latest_ms: 0,
  } as const

  const serviceWorker: { controller: object | null } = { controller: null }

  /** These tracks are on this device, the others are not. */
  function keep(...numbers: number[]): void {
    const trackBytes = new Map(numbers.map((number) => [makeTrack(number).id, 1]))
    useKept.setState({ person: keptPerson, trackBytes })
  }

  /** Files that sounded while the player named another track, until that number of seconds has passed. */
  async function listenForOthers(seconds: number): Promise<string[]> {
    const others: string[] = []
    for (let steps = 0; steps < seconds * 20; steps += 1) {
      await pass(0.05)
      const { id } = selectTrack(state())!
      if (!active().src.includes(id)) others.push(`${active().src} as ${id}`)
    }
    return others
  }

  beforeEach(() => {
    serviceWorker.controller = {}
    vi.stubGlobal('navigator', { serviceWorker })
    disconnect()
    connect({
      ...filesOf(4),
      ...Object.fromEntries([1, 2, 3, 4].map((number) => [keptFileOf(number), lengthSeconds])),
    })
  })
  afterEach(() => {
    useConnection.setState({ connection: 'online' })
    useKept.setState(nothingKept)
  })

  test('back in the middle of a track, the one that follows in the list is named and sounds', async () => {
    keep(1, 3)
    useConnection.setState({ connection: 'offline' })
    playTracks(makeTracks(3))
    await pass(8)
    useConnection.setState({ connection: 'online' })
    expect(await listenForOthers(4)).toEqual([])
    expect(title()).toBe('Track 2')
    expect(sounding().map((deck) => deck.src)).toEqual([fileOf(2)])
  })

  test('gone in the middle of a track, the next one on this device is named and sounds', async () => {
    keep(1, 3)
    playTracks(makeTracks(3))
    await pass(8)
    useConnection.setState({ connection: 'offline' })
    expect(await listenForOthers(4)).toEqual([])
    expect(title()).toBe('Track 3')
    expect(sounding().map((deck) => deck.src)).toEqual([keptFileOf(3)])
  })

  test('gone with nothing on this device, what was fetched already follows', async () => {
    playTracks(makeTracks(3))
    await pass(8)
    useConnection.setState({ connection: 'offline' })
    await pass(4)
    expect(title()).toBe('Track 2')
    expect(sounding().map((deck) => deck.src)).toEqual([fileOf(2)])
  })

  test('what changes without a word does not change the name of what sounds', async () => {
    keep(1, 3)
    serviceWorker.controller = null
    playTracks(makeTracks(3))
    await pass(8)
    useConnection.setState({ connection: 'offline' })
    serviceWorker.controller = {}
    expect(await listenForOthers(4)).toEqual([])
    expect(title()).toBe('Track 2')
  })

  test('a download that was removed is not waited for', async () => {
    keep(1, 2)
    playTracks(makeTracks(3))
    await pass(8)
    keep()
    await pass(4)
    expect(title()).toBe('Track 2')
    expect(sounding().map((deck) => deck.src)).toEqual([fileOf(2)])
  })
})

describe('failures', () => {
  const refuse = (status: number, code: string) => () =>
    Response.json({ error: { code, message: 'The words of the server.' } }, { status })

  function connectWithout(...numbers: number[]): Files {
    disconnect()
    const files = filesOf(8)
    for (const number of numbers) delete files[fileOf(number)]
    connect(files)
    return files
  }

  test('a track that is gone is skipped', async () => {
    connectWithout(1)
    answer = refuse(404, 'track_not_found')
    playTracks(makeTracks(3))
    await pass(1)
    expect(title()).toBe('Track 2')
    expect(sounding().length).toBeGreaterThan(0)
  })

  test('when all are gone it stops, with the reason', async () => {
    connectWithout(1, 2, 3, 4, 5, 6, 7, 8)
    answer = refuse(404, 'track_not_found')
    playTracks(makeTracks(8), { repeat: 'all' })
    await pass(5)
    expect(state().playing).toBe(false)
    expect(state().problem?.kind).toBe('stopped')
    expect(title()).toBe('Track 5')
  })

  test('a lost connection is tried again until it is back, at the same place', async () => {
    playTracks(makeTracks(1))
    await pass(3)
    const before = state().positionSeconds
    answer = () => {
      throw new TypeError('no network')
    }
    active().error = { code: 2 }
    active().dispatchEvent(new Event('error'))
    active().pause()
    await pass(0.1)
    expect(state()).toMatchObject({ playing: true, problem: null })
    await pass(2)
    expect(state().positionSeconds).toBeGreaterThanOrEqual(before)
    expect(sounding()).toEqual([active()])
    expect(active().starts.at(-1)).toContain(fileOf(1))
  })

  test('after many tries it gives up, and play tries again', async () => {
    connectWithout(1)
    answer = () => {
      throw new TypeError('no network')
    }
    playTracks(makeTracks(1))
    await pass(5)
    expect(state()).toMatchObject({ playing: true, problem: { kind: 'retrying' } })
    await pass(180)
    expect(state()).toMatchObject({ playing: false, problem: { kind: 'stopped' } })
    play()
    expect(state()).toMatchObject({ playing: true, problem: null })
  })

  test('a plan that ended meanwhile leads to the preview', async () => {
    connectWithout(1)
    answer = refuse(403, 'premium_required')
    listener = { ...premium, is_premium: false }
    playTracks(makeTracks(1))
    await pass(1)
    expect(sounding().map((deck) => deck.src)).toEqual([playbackSource(makeTrack(1), false).url])
    expect(state().playing).toBe(true)
  })

  test('a refusal that a wish to play here has overtaken is tried again', async () => {
    const files = connectWithout(1)
    answer = refuse(409, 'playing_elsewhere')
    let asked = 0
    confirmPlace = () => void asked++
    playTracks(makeTracks(1))
    await pass(0.1)
    files[fileOf(1)] = lengthSeconds
    await pass(2)
    expect(asked).toBe(1)
    expect(state()).toMatchObject({ playing: true, problem: null })
    expect(sounding()).toHaveLength(1)
  })

  test('another device that plays stops this one, until it is asked to play here', async () => {
    const files = connectWithout(1)
    answer = refuse(409, 'playing_elsewhere')
    confirmPlace = () => reportElsewhere({ limit: 1 })
    playTracks(makeTracks(1))
    await pass(5)
    expect(state()).toMatchObject({ playing: false, problem: { kind: 'elsewhere' } })
    files[fileOf(1)] = lengthSeconds
    play()
    await pass(1)
    expect(state()).toMatchObject({ playing: true, problem: null })
    expect(sounding()).toHaveLength(1)
  })

  test('a paused player without a place is silent about it, and play opens the file again', async () => {
    const files = connectWithout(1)
    answer = refuse(409, 'playing_elsewhere')
    let asked = 0
    confirmPlace = () => void asked++
    playTracks(makeTracks(1))
    pause()
    await pass(5)
    expect(asked).toBe(0)
    expect(state()).toMatchObject({ playing: false, problem: null })
    files[fileOf(1)] = lengthSeconds
    play()
    await pass(1)
    expect(sounding().map((deck) => deck.src)).toEqual([fileOf(1)])
  })

  test('a session that ended meanwhile stops', async () => {
    connectWithout(1)
    answer = refuse(401, 'unauthenticated')
    listener = null
    playTracks([makeTrack(1, { preview_url: null })])
    await pass(1)
    expect(state()).toMatchObject({ playing: false, problem: { kind: 'stopped' } })
  })

  test('sound that does not come for long is asked for again', async () => {
    playTracks(makeTracks(1))
    await pass(2)
    const starts = active().starts.length
    active().stall()
    await pass(11)
    expect(active().starts.length).toBe(starts)
    await pass(3)
    expect(active().starts.length).toBe(starts + 1)
    expect(state()).toMatchObject({ playing: true, problem: null })
    expect(state().positionSeconds).toBeGreaterThan(2)
  })

  describe('in WebKit, which sends no event when sound goes on after a seek', () => {
    beforeEach(() => {
      for (const deck of decks) deck.isLikeWebKit = true
    })

    test('sound that advances is not buffering, and its file is not loaded again', async () => {
      connectLong()
      playTracks(makeTracks(2))
      await pass(2)
      seekTo(20)
      await pass(0.1)
      expect(state().isBuffering).toBe(true)
      await pass(0.6)
      expect(state().isBuffering).toBe(false)
      const starts = active().starts.length
      await pass(30)
      expect(active().starts).toHaveLength(starts)
      expect(state()).toMatchObject({ isBuffering: false, playing: true, problem: null })
    })

    test('after a change without a gap the sound is not buffering either', async () => {
      connectLong()
      playTracks(makeTracks(2))
      await pass(61)
      expect(title()).toBe('Track 2')
      const starts = active().starts.length
      expect(active().readyState).toBe(2)
      expect(state().isBuffering).toBe(false)
      await pass(30)
      expect(active().starts).toHaveLength(starts)
    })

    test('a seek that finds no data is asked for again', async () => {
      connectLong()
      playTracks(makeTracks(2))
      await pass(2)
      seekTo(20)
      active().stall()
      await pass(11)
      expect(state().isBuffering).toBe(true)
      const starts = active().starts.length
      await pass(3)
      expect(active().starts).toHaveLength(starts + 1)
      expect(state().positionSeconds).toBeGreaterThanOrEqual(20)
    })

    test('sound that stops long after a seek shows as buffering, and is asked for again', async () => {
      connectLong()
      playTracks(makeTracks(2))
      await pass(2)
      seekTo(20)
      await pass(5)
      const starts = active().starts.length
      active().stall()
      await pass(3)
      expect(state().isBuffering).toBe(true)
      await pass(12)
      expect(active().starts).toHaveLength(starts + 1)
      expect(state().positionSeconds).toBeGreaterThan(24)
    })

    /** Tracks of a minute. */
    function connectLong(): void {
      disconnect()
      connect(Object.fromEntries(Object.keys(filesOf(2)).map((url) => [url, 60])))
      for (const deck of decks) deck.isLikeWebKit = true
    }
  })

  test('a failure of something that is not wanted any more changes nothing', async () => {
    connectWithout(1)
    let settle: (response: Response) => void = () => {}
    vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (settle = resolve)))
    playTracks(makeTracks(3))
    await pass(0.1)
    skipNext()
    settle(refuse(404, 'track_not_found')())
    await pass(1)
    expect(title()).toBe('Track 2')
  })
})
