// What the sound tells the player: where it is, that it ended, that it was stopped from outside. The
// rules for what happens then stand here, away from elements and events.
import type { PlayCap } from '#contract/playing.ts'
import { playFrom, stopAtBeginning } from './player-actions.ts'
import { stepToAudible } from './audible-queue.ts'
import { afterTrackEnd, type PlayQueue } from './play-queue.ts'
import {
  selectMode,
  selectTrack,
  sourceFor,
  usePlayer,
  type Listener,
  type PlayerProblem,
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

/** The system started or stopped the sound. */
export function reportPlaying(playing: boolean): void {
  usePlayer.setState({ playing })
}

export function reportProblem(problem: PlayerProblem | null): void {
  if (usePlayer.getState().problem !== problem) usePlayer.setState({ problem })
}

/** Gives up on the current track until the listener presses play again. */
export function stopWithProblem(message: string): void {
  usePlayer.setState({ playing: false, isBuffering: false, problem: { kind: 'stopped', message } })
}

/** The server refused: another tab of this browser plays, or as many devices as the plan allows. */
export function reportElsewhere(cap: PlayCap | null): void {
  const where = cap?.same_device ? 'tab' : 'device'
  reportTakenOver({ kind: 'elsewhere', where, cap })
}

/** Another tab of this browser plays. */
export function reportOtherTab(): void {
  reportTakenOver({ kind: 'elsewhere', where: 'tab', cap: null })
}

function reportTakenOver(problem: PlayerProblem): void {
  usePlayer.setState({ playing: false, isBuffering: false, problem })
}

/** What plays when the current track ends by itself; null: nothing. */
export function queueAfterEnd(): PlayQueue | null {
  const state = usePlayer.getState()
  if (selectMode(state) === 'preview' || state.sleep.kind === 'end-of-track') return null
  return stepToAudible(state.queue, afterTrackEnd)
}

/**
 * The current track ended. A preview stops and says so; the others lead on as the queue says, paused
 * when the listener wanted to sleep by now.
 */
export function reportEnded(): void {
  const state = usePlayer.getState()
  if (selectMode(state) === 'preview') return endPreview()
  const next = stepToAudible(state.queue, afterTrackEnd)
  const isBedtime = state.sleep.kind === 'end-of-track'
  if (isBedtime) usePlayer.setState({ sleep: { kind: 'off' } })
  if (next) playFrom(next, { playing: !isBedtime })
  else stopAtBeginning()
}

function endPreview(): void {
  usePlayer.setState(({ durationSeconds }) => ({
    playing: false,
    isPreviewEnded: true,
    positionSeconds: durationSeconds,
  }))
}

/**
 * Who listens, and what the plan allows. When that changes what may be heard of the current track, the
 * same place goes on in the other file; what a preview lacks cannot be reached.
 */
export function setListener(listener: Listener | null): void {
  const before = usePlayer.getState()
  if (
    before.listener?.user_id === listener?.user_id &&
    before.listener?.is_premium === listener?.is_premium
  ) {
    return
  }
  usePlayer.setState({ listener })
  const state = usePlayer.getState()
  const track = selectTrack(state)
  if (!track || selectMode(before) === selectMode(state)) return
  const { mode, durationSeconds } = sourceFor(state, track)
  const isBeyond = mode === 'preview' && state.positionSeconds >= durationSeconds
  playFrom(state.queue, {
    playing: state.playing && !isBeyond,
    startSeconds: isBeyond ? 0 : state.positionSeconds,
  })
  if (isBeyond) usePlayer.setState({ isPreviewEnded: true })
}
