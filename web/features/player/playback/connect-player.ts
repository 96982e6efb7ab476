// Applies the store's state to the audio engine, and writes the engine's events back to the store. It is the only
// module that imports both. Every user action goes through the store.
import type { Spot } from '#contract/spots.ts'
import { useConnection } from '../../../base/api/connection.ts'
import { useDownloads } from '../../../base/offline-store/download-store.ts'
import { AudioEngine } from '../engine/audio-engine.ts'
import type { DeckSource } from '../engine/deck.ts'
import { levellingGain, volumeGain } from '../engine/output-level.ts'
import { currentEntry, isShuffled, type PlayQueue } from '../queue/play-queue.ts'
import { setPlaybackClock } from './playback-clock.ts'
import { PlaybackRecovery, type RecoveryNeeds } from './playback-recovery.ts'
import { trackGain } from '../engine/playback-source.ts'
import { advanceTo, endSpot, pause } from './player-actions.ts'
import {
  getQueueAfterEnd,
  reportBuffering,
  reportEnded,
  reportPlaying,
  reportProgress,
  stopWithProblem,
} from './player-reports.ts'
import { selectTrack, selectPlaybackSource, usePlayer, type PlayerState } from './player-store.ts'
import type { PlayerTrack } from '../queue/player-track.ts'
import { runSleepClock } from './sleep-clock.ts'
import { offerWarmUp } from '../engine/warm-up.ts'

type Elements = readonly [HTMLAudioElement, HTMLAudioElement]

/** Plays on these elements until the returned function is called. */
export function connectPlayer(
  elements: Elements,
  needs: Omit<RecoveryNeeds, 'reload'>,
): () => void {
  const connection = new PlayerConnection(elements, needs)
  const ends = [
    usePlayer.subscribe((state, before) => connection.follow(state, before)),
    // Prepare the next file again: while offline, other tracks follow, and downloaded tracks have other URLs.
    useConnection.subscribe(() => connection.prepareUpcoming()),
    useDownloads.subscribe((kept, before) => {
      const isOther = kept.trackBytes !== before.trackBytes || kept.person !== before.person
      if (isOther) connection.prepareUpcoming()
    }),
    setPlaybackClock(() => connection.positionSeconds),
    runSleepClock((fade) => connection.setFade(fade)),
    pauseWhenOthersPlay(elements),
    () => connection.end(),
  ]
  return () => {
    for (const end of ends) end()
  }
}

/** Keeps the audio engine in sync with the store. */
class PlayerConnection {
  readonly #engine: AudioEngine
  readonly #recovery: PlaybackRecovery
  /** True while the engine has advanced on its own: the track in the store is already playing. */
  #isHandingOver = false
  /** The queue that becomes current when the engine moves on to the prepared file. */
  #upcoming: PlayQueue | null = null
  #fade = 1

  constructor(elements: Elements, needs: Omit<RecoveryNeeds, 'reload'>) {
    const recovery = new PlaybackRecovery({ reload: () => this.#reload(), ...needs })
    this.#recovery = recovery
    this.#engine = new AudioEngine(elements, {
      onProgress(positionSeconds, durationSeconds) {
        recovery.onProgress(positionSeconds)
        reportProgress(positionSeconds, durationSeconds)
      },
      onBuffering(isBuffering) {
        recovery.onBuffering(isBuffering)
        reportBuffering(isBuffering)
      },
      onHandedOver: () => this.#handOver(),
      onEnded: reportEnded,
      onFailed: (error) => void recovery.onFailed(error?.code),
      onPlayingChanged: reportPlaying,
      onBlocked: () => stopWithProblem('Your browser blocked playback. Press play to start.'),
    })
    offerWarmUp((track) => this.#engine.warmUp(deckSource(usePlayer.getState(), track, 0)))
    this.#setOutput()
    this.#reload()
  }

  get positionSeconds(): number {
    return this.#engine.positionSeconds
  }

  follow(state: PlayerState, before: PlayerState): void {
    if (state.instance !== before.instance) {
      this.#recovery.reset()
      if (!this.#isHandingOver) this.#load(state, state.startSeconds)
    } else {
      if (state.seek.number !== before.seek.number) this.#engine.seek(state.seek.seconds)
      if (state.playing && !before.playing) this.#playAgain(state)
      if (!state.playing && before.playing) this.#engine.pause()
    }
    if (hasOtherOutput(state, before)) this.#setOutput()
    if (state.settings.levelling !== before.settings.levelling) {
      const track = selectTrack(state)
      if (track && !state.spot) this.#engine.setGain(getGain(state, track))
    }
    if (mayHaveOtherUpcoming(state, before)) this.prepareUpcoming()
  }

  prepareUpcoming(): void {
    const state = usePlayer.getState()
    this.#upcoming = getQueueAfterEnd()
    const track = this.#upcoming && currentEntry(this.#upcoming)?.track
    this.#engine.prepare(track ? deckSource(state, track, 0) : null)
  }

  /** Sets the sleep timer's amplitude factor. */
  setFade(fade: number): void {
    this.#fade = fade
    this.#setOutput()
  }

  end(): void {
    offerWarmUp(null)
    this.#engine.dispose()
    this.#recovery.reset()
  }

  #reload(): void {
    const state = usePlayer.getState()
    this.#load(state, state.positionSeconds)
    this.prepareUpcoming()
  }

  #load(state: PlayerState, startSeconds: number): void {
    const track = selectTrack(state)
    if (state.spot) this.#engine.load(spotSource(state.spot.spot, startSeconds), state.playing)
    else if (track) this.#engine.load(deckSource(state, track, startSeconds), state.playing)
    else this.#engine.unload()
  }

  /** Resumes playback. Reopens a file that failed while it was paused. */
  #playAgain(state: PlayerState): void {
    if (this.#engine.hasFailed) this.#load(state, state.positionSeconds)
    else this.#engine.play()
  }

  #handOver(): void {
    this.#isHandingOver = true
    // Use the queue that was computed when the file was prepared. Computing the next track now could return a different
    // one.
    if (usePlayer.getState().spot) endSpot()
    else if (this.#upcoming) advanceTo(this.#upcoming)
    this.#isHandingOver = false
  }

  #setOutput(): void {
    const { volume, muted, settings, spot } = usePlayer.getState()
    this.#engine.setOutput({
      volume: volumeGain(volume) * this.#fade,
      muted,
      playbackRate: spot ? 1 : settings.speed,
      crossfadeSeconds: spot ? 0 : settings.crossfade_seconds,
    })
  }
}

function deckSource(state: PlayerState, track: PlayerTrack, startSeconds: number): DeckSource {
  const { url } = selectPlaybackSource(state, track)
  return { url, startSeconds, gain: getGain(state, track) }
}

/** Returns the file of a spot. It always plays at the songs' loudness, regardless of the listener's setting. */
function spotSource(spot: Spot, startSeconds: number): DeckSource {
  return { url: spot.audio_url ?? '', startSeconds, gain: levellingGain(spot) }
}

function getGain({ settings, queue }: PlayerState, track: PlayerTrack): number {
  return trackGain(track, settings.levelling, isShuffled(queue))
}

function hasOtherOutput(state: PlayerState, before: PlayerState): boolean {
  return (
    state.volume !== before.volume ||
    state.muted !== before.muted ||
    state.spot !== before.spot ||
    state.settings !== before.settings
  )
}

function mayHaveOtherUpcoming(state: PlayerState, before: PlayerState): boolean {
  return (
    state.instance !== before.instance ||
    state.queue !== before.queue ||
    state.radioAhead !== before.radioAhead ||
    state.spotAhead !== before.spotAhead ||
    state.listener !== before.listener ||
    state.sleep !== before.sleep ||
    state.settings !== before.settings
  )
}

/** Pauses when another media element on the page starts, such as a preview on the landing page. */
function pauseWhenOthersPlay(elements: Elements): () => void {
  const onPlay = ({ target }: Event) => {
    if (target instanceof HTMLMediaElement && !elements.some((own) => own === target)) pause()
  }
  document.addEventListener('play', onPlay, { capture: true })
  return () => document.removeEventListener('play', onPlay, { capture: true })
}
