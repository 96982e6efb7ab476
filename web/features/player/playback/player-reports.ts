// Handles playback events: progress, end, external pause. Decides what happens next, independently of media elements.
import type { PlayCap } from '#contract/playing.ts'
import { advanceTo, endSpot, playFrom, stopAtBeginning } from './player-actions.ts'
import { stepToAudible } from './audible-queue.ts'
import { withRadioFallback } from './radio-ahead.ts'
import { afterTrackEnd, type PlayQueue } from '../queue/play-queue.ts'
import {
  selectMode,
  selectTrack,
  selectPlaybackSource,
  usePlayer,
  type Listener,
  type PlayerProblem,
  type PlayerState,
} from './player-store.ts'

export function reportProgress(positionSeconds: number, durationSeconds: number): void {
  const state = usePlayer.getState()
  usePlayer.setState({
    positionSeconds,
    durationSeconds: durationSeconds || state.durationSeconds,
  })
}

export function reportBuffering(isBuffering: boolean): void {
  if (usePlayer.getState().isBuffering !== isBuffering) usePlayer.setState({ isBuffering })
}

/** Call when the operating system has started or stopped the sound. */
export function reportPlaying(playing: boolean): void {
  usePlayer.setState({ playing })
}

export function reportProblem(problem: PlayerProblem | null): void {
  if (usePlayer.getState().problem !== problem) usePlayer.setState({ problem })
}

/** Stops playback with a problem, until the user presses play again. */
export function stopWithProblem(message: string): void {
  usePlayer.setState({ playing: false, isBuffering: false, problem: { kind: 'stopped', message } })
}

/** The server refused playback: another tab of this browser is playing, or the plan's limit of devices is reached. */
export function reportElsewhere(cap: PlayCap | null): void {
  const where = cap?.same_device ? 'tab' : 'device'
  reportTakenOver({ kind: 'elsewhere', where, cap })
}

/** Pauses this tab. Call when another tab of this browser starts playback. */
export function reportOtherTab(): void {
  reportTakenOver({ kind: 'elsewhere', where: 'tab', cap: null })
}

function reportTakenOver(problem: PlayerProblem): void {
  usePlayer.setState({ playing: false, isBuffering: false, problem })
}

/** Returns the queue after the current track ends; null when playback stops. */
export function getQueueAfterEnd(): PlayQueue | null {
  const state = usePlayer.getState()
  // After a spot, the queue's current song plays.
  if (state.spot) return state.queue
  if (selectMode(state) === 'preview' || state.sleep.kind === 'end-of-track') return null
  // A spot starts only after the song has ended: it is not prefetched, and there is no crossfade into it.
  if (isSoundAhead(state)) return null
  return stepToAudible(state.queue, withRadioFallback(afterTrackEnd))
}

/**
 * Call when the current track ended. A preview stops and shows its notice. Otherwise the queue moves on, paused if the
 * sleep timer was set to the end of the track.
 */
export function reportEnded(): void {
  const state = usePlayer.getState()
  if (state.spot) return endSpot()
  if (selectMode(state) === 'preview') return endPreview()
  const next = stepToAudible(state.queue, withRadioFallback(afterTrackEnd))
  const stopsAfterTrack = state.sleep.kind === 'end-of-track'
  if (stopsAfterTrack) usePlayer.setState({ sleep: { kind: 'off' } })
  if (!next) stopAtBeginning()
  else if (stopsAfterTrack) playFrom(next, { playing: false })
  else advanceTo(next)
}

function isSoundAhead({ spotAhead, instance }: PlayerState): boolean {
  return spotAhead?.instance === instance && spotAhead.spot.kind === 'sound'
}

function endPreview(): void {
  usePlayer.setState(({ durationSeconds }) => ({
    playing: false,
    isPreviewEnded: true,
    positionSeconds: durationSeconds,
  }))
}

/**
 * Sets the signed-in user and plan. If that changes the playable file of the current track, playback continues at the
 * same position in the other file. A position past the end of a preview is unreachable and stops it.
 */
export function setListener(listener: Listener | null): void {
  const before = usePlayer.getState()
  if (
    before.listener?.user_id === listener?.user_id &&
    before.listener?.is_premium === listener?.is_premium
  ) {
    return
  }
  usePlayer.setState({ listener, spotAhead: null, card: null })
  if (before.spot) return endSpot()
  const state = usePlayer.getState()
  const track = selectTrack(state)
  if (!track || selectMode(before) === selectMode(state)) return
  const { mode, durationSeconds } = selectPlaybackSource(state, track)
  const isBeyond = mode === 'preview' && state.positionSeconds >= durationSeconds
  playFrom(state.queue, {
    playing: state.playing && !isBeyond,
    startSeconds: isBeyond ? 0 : state.positionSeconds,
  })
  if (isBeyond) usePlayer.setState({ isPreviewEnded: true })
}
