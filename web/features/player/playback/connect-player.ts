// Applies the store's state to the audio engine and writes the engine's events back to the store. The only module that
// knows both; every user action goes through the store.
import { useConnection } from '../../../base/api/connection.ts'
import { useKept } from '../../../base/offline-store/kept-store.ts'
import { AudioEngine } from '../engine/audio-engine.ts'
import type { DeckSource } from '../engine/deck.ts'
import { volumeGain } from '../engine/output-level.ts'
import { currentEntry, type PlayQueue } from '../queue/play-queue.ts'
import { setPlaybackClock } from './playback-clock.ts'
import { PlaybackRecovery, type RecoveryNeeds } from './playback-recovery.ts'
import { trackGain } from '../engine/playback-source.ts'
import { pause, playFrom } from './player-actions.ts'
import {
  queueAfterEnd,
  reportBuffering,
  reportEnded,
  reportPlaying,
  reportProgress,
  stopWithProblem,
} from './player-reports.ts'
import { selectTrack, sourceFor, usePlayer, type PlayerState } from './player-store.ts'
import type { PlayerTrack } from '../queue/player-track.ts'
import { runSleepClock } from './sleep-clock.ts'
import { offerWarmUp } from '../engine/warm-up.ts'

type Elements = readonly [HTMLAudioElement, HTMLAudioElement]

/** Plays on these elements until the returned function is called. */
export function connectPlayer(
  elements: Elements,
  needs: Omit<RecoveryNeeds, 'reload'>,
): () => void {
  /** True while the engine has moved on by itself: the track in the store is already playing. */
  let isHandingOver = false
  /** The queue after the engine moves on to the prepared file. */
  let upcoming: PlayQueue | null = null
  let fade = 1
  const reload = () => {
    const state = usePlayer.getState()
    load(state, state.positionSeconds)
    prepareUpcoming()
  }
  const recovery = new PlaybackRecovery({ reload, ...needs })
  const engine = new AudioEngine(elements, {
    onProgress(positionSeconds, durationSeconds) {
      recovery.onProgress(positionSeconds)
      reportProgress(positionSeconds, durationSeconds)
    },
    onBuffering(isBuffering) {
      recovery.onBuffering(isBuffering)
      reportBuffering(isBuffering)
    },
    onHandedOver() {
      isHandingOver = true
      // Use the queue as it was when the file was prepared: computing the next track now could give another one.
      if (upcoming) playFrom(upcoming)
      isHandingOver = false
    },
    onEnded: reportEnded,
    onFailed: (error) => void recovery.onFailed(error?.code),
    onPlayingChanged: reportPlaying,
    onBlocked: () => stopWithProblem('The browser wants a click first. Press play.'),
  })
  offerWarmUp((track) => engine.warmUp(deckSource(usePlayer.getState(), track, 0)))

  function load(state: PlayerState, startSeconds: number) {
    const track = selectTrack(state)
    if (track) engine.load(deckSource(state, track, startSeconds), state.playing)
    else engine.unload()
  }

  /** A file that failed while it was paused is opened again. */
  function playAgain(state: PlayerState) {
    if (engine.hasFailed) load(state, state.positionSeconds)
    else engine.play()
  }

  function prepareUpcoming() {
    const state = usePlayer.getState()
    upcoming = queueAfterEnd()
    const track = upcoming && currentEntry(upcoming)?.track
    engine.prepare(track ? deckSource(state, track, 0) : null)
  }

  function setOutput() {
    const { volume, muted, settings } = usePlayer.getState()
    engine.setOutput({
      volume: volumeGain(volume) * fade,
      muted,
      playbackRate: settings.speed,
      crossfadeSeconds: settings.crossfade_seconds,
    })
  }

  function follow(state: PlayerState, before: PlayerState) {
    if (state.instance !== before.instance) {
      recovery.reset()
      if (!isHandingOver) load(state, state.startSeconds)
    } else {
      if (state.seek.number !== before.seek.number) engine.seek(state.seek.seconds)
      if (state.playing && !before.playing) playAgain(state)
      if (!state.playing && before.playing) engine.pause()
    }
    if (hasOtherOutput(state, before)) setOutput()
    if (state.settings.levelling !== before.settings.levelling) {
      const track = selectTrack(state)
      if (track) engine.setGain(trackGain(track, state.settings.levelling))
    }
    if (mayHaveOtherUpcoming(state, before)) prepareUpcoming()
  }

  setOutput()
  reload()
  const ends = [
    usePlayer.subscribe(follow),
    // Going offline changes which tracks follow, and downloaded tracks have other URLs.
    useConnection.subscribe(prepareUpcoming),
    useKept.subscribe((kept, before) => {
      if (kept.trackBytes !== before.trackBytes || kept.person !== before.person) prepareUpcoming()
    }),
    setPlaybackClock(() => engine.positionSeconds),
    runSleepClock((newFade) => {
      fade = newFade
      setOutput()
    }),
    pauseWhenOthersPlay(elements),
    () => engine.dispose(),
    () => recovery.reset(),
  ]
  return () => {
    offerWarmUp(null)
    for (const end of ends) end()
  }
}

function deckSource(state: PlayerState, track: PlayerTrack, startSeconds: number): DeckSource {
  const { url } = sourceFor(state, track)
  return { url, startSeconds, gain: trackGain(track, state.settings.levelling) }
}

function hasOtherOutput(state: PlayerState, before: PlayerState): boolean {
  return (
    state.volume !== before.volume ||
    state.muted !== before.muted ||
    state.settings !== before.settings
  )
}

function mayHaveOtherUpcoming(state: PlayerState, before: PlayerState): boolean {
  return (
    state.instance !== before.instance ||
    state.queue !== before.queue ||
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
