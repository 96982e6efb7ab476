import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { useConnection } from '../../../base/api/connection.ts'
import { getDownloadedAudioUrl } from '../../../base/offline-store/download-files.ts'
import { noDownloads, useDownloads } from '../../../base/offline-store/download-store.ts'
import { connectPlayer } from './connect-player.ts'
import { playbackSource } from '../engine/playback-source.ts'
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
import { makeTrack, makeTracks } from '../../../testing/track-fixture.ts'
import {
  simulatedElements,
  simulatedLatencyMs,
  type Files,
  type SimulatedAudio,
} from '../../../testing/simulated-audio.ts'
import { sleepIn } from '../queue/sleep-timer.ts'

const premium: Listener = { user_id: 'ada', is_premium: true }
const lengthSeconds = 10
const state = () => usePlayer.getState()
const title = () => selectTrack(state())?.title
let decks: readonly [SimulatedAudio, SimulatedAudio]
let listener: Listener | null
let answer: () => Response
let confirmPlace: () => void
let disconnect: () => void

/** Returns the full file and the preview file of each track. */
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

describe("plays sound according to the user's actions", () => {
  test('plays, pauses, resumes and seeks', async () => {
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

  test('plays only the newest of many requests; older ones make no sound', async () => {
    playTracks(makeTracks(8), { repeat: 'all' })
    for (let press = 0; press < 20; press += 1) skipNext()
    await pass(1)
    expect(title()).toBe('Track 5')
    expect(sounding().map((deck) => deck.src)).toEqual([fileOf(5)])
    expect(decks.flatMap((deck) => deck.starts)).toEqual([`${fileOf(5)}@0`])
  })

  test('applies volume, mute and speed to both elements', () => {
    setVolume(50)
    toggleMute()
    changeSettings({ speed: 1.5 })
    for (const deck of decks) {
      expect(deck.volume).toBeCloseTo(0.25)
      expect(deck).toMatchObject({ muted: true, playbackRate: 1.5, preservesPitch: true })
    }
  })

  test('attenuates a loud track until leveling is turned off', async () => {
    setVolume(100)
    playTracks([makeTrack(1, { loudness_lufs: -8 })])
    await pass(0.5)
    expect(active().volume).toBeCloseTo(0.5, 1)
    changeSettings({ levelling: false })
    expect(active().volume).toBe(1)
  })

  test('reflects a pause or play from outside the app', async () => {
    playTracks(makeTracks(1))
    await pass(1)
    active().pause()
    await pass(0.1)
    expect(state().playing).toBe(false)
    void active().play()
    await pass(0.1)
    expect(state().playing).toBe(true)
  })

  test('plays nothing after disconnecting', async () => {
    playTracks(makeTracks(1))
    await pass(1)
    disconnect()
    expect(sounding()).toEqual([])
  })
})

describe('transition to the next track', () => {
  /** Milliseconds between the last sound of a track and the first of the next; negative when they overlap. */
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

  test('starts the next track early by the start latency, so there is no gap', async () => {
    playTracks(makeTracks(3))
    await pass(6)
    expect(Math.abs(await measureGap())).toBeLessThanOrEqual(20)
    expect(title()).toBe('Track 2')
    expect(active().src).toBe(fileOf(2))
    await pass(5)
    expect(Math.abs(await measureGap())).toBeLessThanOrEqual(20)
    expect(simulatedLatencyMs).toBeGreaterThan(50)
  })

  test('leaves no gap after a track whose file had to be requested again', async () => {
    playTracks(makeTracks(3))
    await pass(3)
    active().error = { code: 2 }
    active().dispatchEvent(new Event('error'))
    await pass(4)
    expect(active().starts.filter((start) => start.startsWith(fileOf(1)))).toHaveLength(2)
    expect(Math.abs(await measureGap())).toBeLessThanOrEqual(20)
    expect(title()).toBe('Track 2')
  })

  test('plays both tracks during a crossfade, then only the newer one', async () => {
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

  test('silences both tracks when paused during a crossfade', async () => {
    changeSettings({ crossfade_seconds: 3 })
    playTracks(makeTracks(2))
    await pass(8.5)
    pause()
    expect(sounding()).toEqual([])
    play()
    await pass(0.5)
    expect(sounding()).toEqual([active()])
  })

  test('plays the same track again without stopping in repeat one', async () => {
    playTracks(makeTracks(2), { repeat: 'one' })
    await pass(12)
    expect(title()).toBe('Track 1')
    expect(state()).toMatchObject({ playing: true, instance: 2 })
    expect(state().positionSeconds).toBeLessThan(3)
  })

  test('stops at the end of the list with repeat off', async () => {
    playTracks(makeTracks(2), { startIndex: 1 })
    await pass(12)
    expect(sounding()).toEqual([])
    expect(state()).toMatchObject({ playing: false, positionSeconds: 0 })
  })

  test('plays the new next track when the queue changed just before the track ended', async () => {
    playTracks(makeTracks(4))
    await pass(8)
    const { queue } = state()
    usePlayer.setState({ queue: { ...queue, entries: queue.entries.toSpliced(1, 1) } })
    await pass(4)
    expect(title()).toBe('Track 3')
    expect(sounding().map((deck) => deck.src)).toEqual([fileOf(3)])
  })

  test('reuses loaded files for previous and next', async () => {
    playTracks(makeTracks(3))
    await pass(4)
    skipNext()
    expect(sounding().map((deck) => deck.src)).toEqual([fileOf(2)])
    skipPrevious()
    await pass(0.5)
    expect(sounding().map((deck) => deck.src)).toEqual([fileOf(1)])
    expect(active().currentTime).toBeLessThan(1)
  })

  test('stops at the end of a preview', async () => {
    setListener({ ...premium, is_premium: false })
    playTracks(makeTracks(2))
    await pass(6)
    expect(sounding()).toEqual([])
    expect(state()).toMatchObject({ playing: false, isPreviewEnded: true })
    expect(title()).toBe('Track 1')
  })

  test('fades and stops when the sleep timer ends', async () => {
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

describe('connection changes', () => {
  const getDownloadedFile = (number: number) => getDownloadedAudioUrl('ada', makeTrack(number).id)
  const offlineUser = {
    user_id: 'ada',
    display_name: 'Ada',
    subscription_tier: 'premium',
    is_signed_in: true,
    lease_ends_ms: Infinity,
    latest_ms: 0,
  } as const

  const serviceWorker: { controller: object | null } = { controller: null }

  /** Marks these tracks as downloaded, and no others. */
  function keep(...numbers: number[]): void {
    const trackBytes = new Map(numbers.map((number) => [makeTrack(number).id, 1]))
    useDownloads.setState({ person: offlineUser, trackBytes })
  }

  /** Advances by this many seconds, and returns the files that played while the player showed another track. */
  async function collectOtherFiles(seconds: number): Promise<string[]> {
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
      ...Object.fromEntries(
        [1, 2, 3, 4].map((number) => [getDownloadedFile(number), lengthSeconds]),
      ),
    })
  })
  afterEach(() => {
    useConnection.setState({ connection: 'online' })
    useDownloads.setState(noDownloads)
  })

  test('plays and shows the next track of the list when the connection returns mid-track', async () => {
    keep(1, 3)
    useConnection.setState({ connection: 'offline' })
    playTracks(makeTracks(3))
    await pass(8)
    useConnection.setState({ connection: 'online' })
    expect(await collectOtherFiles(4)).toEqual([])
    expect(title()).toBe('Track 2')
    expect(sounding().map((deck) => deck.src)).toEqual([fileOf(2)])
  })

  test('plays and shows the next downloaded track when the connection is lost mid-track', async () => {
    keep(1, 3)
    playTracks(makeTracks(3))
    await pass(8)
    useConnection.setState({ connection: 'offline' })
    expect(await collectOtherFiles(4)).toEqual([])
    expect(title()).toBe('Track 3')
    expect(sounding().map((deck) => deck.src)).toEqual([getDownloadedFile(3)])
  })

  test('plays the prefetched track when the connection is lost and nothing is downloaded', async () => {
    playTracks(makeTracks(3))
    await pass(8)
    useConnection.setState({ connection: 'offline' })
    await pass(4)
    expect(title()).toBe('Track 2')
    expect(sounding().map((deck) => deck.src)).toEqual([fileOf(2)])
  })

  test('keeps showing the track that plays when its source changes without an event', async () => {
    keep(1, 3)
    serviceWorker.controller = null
    playTracks(makeTracks(3))
    await pass(8)
    useConnection.setState({ connection: 'offline' })
    serviceWorker.controller = {}
    expect(await collectOtherFiles(4)).toEqual([])
    expect(title()).toBe('Track 2')
  })

  test('plays the next track from the server when its download has been removed', async () => {
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

  test('skips a track that no longer exists', async () => {
    connectWithout(1)
    answer = refuse(404, 'track_not_found')
    playTracks(makeTracks(3))
    await pass(1)
    expect(title()).toBe('Track 2')
    expect(sounding().length).toBeGreaterThan(0)
  })

  test('stops with the reason when no track exists any longer', async () => {
    connectWithout(1, 2, 3, 4, 5, 6, 7, 8)
    answer = refuse(404, 'track_not_found')
    playTracks(makeTracks(8), { repeat: 'all' })
    await pass(5)
    expect(state().playing).toBe(false)
    expect(state().problem?.kind).toBe('stopped')
    expect(title()).toBe('Track 5')
  })

  test('retries at the same position until a lost connection is back', async () => {
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

  test('stops after the last retry, and starts over on play', async () => {
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

  test('falls back to the preview when the subscription has ended', async () => {
    connectWithout(1)
    answer = refuse(403, 'premium_required')
    listener = { ...premium, is_premium: false }
    playTracks(makeTracks(1))
    await pass(1)
    expect(sounding().map((deck) => deck.src)).toEqual([playbackSource(makeTrack(1), false).url])
    expect(state().playing).toBe(true)
  })

  test('retries when the player place is free again by the time a refusal arrives', async () => {
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

  test('stops when another device plays, until the user plays here', async () => {
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

  test('shows no message when a paused player has no place, and reopens the file on play', async () => {
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

  test('stops when the session has ended', async () => {
    connectWithout(1)
    answer = refuse(401, 'unauthenticated')
    listener = null
    playTracks([makeTrack(1, { preview_url: null })])
    await pass(1)
    expect(state()).toMatchObject({ playing: false, problem: { kind: 'stopped' } })
  })

  test('reloads the file when sound stalls for long', async () => {
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

  describe('in WebKit, which sends no event when sound resumes after a seek', () => {
    beforeEach(() => {
      for (const deck of decks) deck.isLikeWebKit = true
    })

    test('does not report buffering or reload the file while sound advances', async () => {
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

    test('does not report buffering after a gapless transition', async () => {
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

    test('reloads after a seek that finds no data', async () => {
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

    test('reports buffering and reloads when sound stops long after a seek', async () => {
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

    /** Connects the player again, with one-minute tracks. */
    function connectLong(): void {
      disconnect()
      connect(Object.fromEntries(Object.keys(filesOf(2)).map((url) => [url, 60])))
      for (const deck of decks) deck.isLikeWebKit = true
    }
  })

  test('ignores the failure of a file after a skip', async () => {
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
