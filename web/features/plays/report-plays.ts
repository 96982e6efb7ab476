// Reports plays to the server. It only reads the player's store. Invariant: a play is one track from its beginning
// until it ends or another starts. Pauses, seeks, a reconnected stream and a changed plan belong to the same play.
import type { PlayContext } from '#contract/play-context.ts'
import { currentEntry } from '../player/queue/play-queue.ts'
import { newUuid } from '../player/queue/player-id.ts'
import { selectTrack, usePlayer, type PlayerState } from '../player/playback/player-store.ts'

const reportEverySeconds = 10

export interface PlayReport {
  play_id: string
  track_id: string
  heard_seconds: number
  position_seconds: number
  duration_seconds: number
  context?: PlayContext
}

export interface ReportPlaysOptions {
  /** Sends a report. Must not reject. If a report is lost, the next one includes its time. */
  send: (report: PlayReport) => Promise<void>
  nowMs?: () => number
}

/** The current play, and when its progress was last measured. */
interface Play extends PlayReport {
  readAtMs: number
  /** The played time in the last report; null until the first report. */
  reportedSeconds: number | null
}

/** Reports every play until the returned function is called. */
export function reportPlays({ send, nowMs = () => performance.now() }: ReportPlaysOptions) {
  let play: Play | null = beginPlay(usePlayer.getState(), nowMs())

  function report() {
    if (!play || play.heard_seconds === (play.reportedSeconds ?? 0)) return
    play.reportedSeconds = play.heard_seconds
    const { readAtMs: _readAt, reportedSeconds: _reported, ...payload } = play
    void send(payload)
  }

  // A listener that runs earlier may change the store again, and that change arrives here first. So compare with the
  // state last seen here instead of the store's `before`.
  let seen = usePlayer.getState()

  function onPlayerChange() {
    const before = seen
    const state = (seen = usePlayer.getState())
    if (state === before) return
    if (isOtherPlay(state, before)) {
      report()
      play = beginPlay(state, nowMs())
      return
    }
    if (!play) return
    addPlayedTime(play, state, before, nowMs())
    const isDue =
      play.reportedSeconds === null ||
      play.heard_seconds - play.reportedSeconds >= reportEverySeconds
    if (isDue || (before.playing && !state.playing)) report()
  }

  const unsubscribe = usePlayer.subscribe(onPlayerChange)
  // Fires when a tab is closed, and on phones when the app goes to the background.
  const onHidden = () => {
    if (document.visibilityState === 'hidden') report()
  }
  document.addEventListener('visibilitychange', onHidden)
  addEventListener('pagehide', report)
  return () => {
    report()
    unsubscribe()
    document.removeEventListener('visibilitychange', onHidden)
    removeEventListener('pagehide', report)
  }
}

/**
 * Returns whether a new play has begun. A track that continues in its middle, for example after a lost connection, is
 * the same play.
 */
function isOtherPlay(state: PlayerState, before: PlayerState): boolean {
  if (state.listener?.user_id !== before.listener?.user_id) return true
  if (state.instance === before.instance) return false
  return selectTrack(state)?.id !== selectTrack(before)?.id || state.startSeconds === 0
}

function beginPlay(state: PlayerState, readAtMs: number): Play | null {
  const track = selectTrack(state)
  if (!track || !state.listener || state.spot) return null
  return {
    play_id: newUuid(),
    track_id: track.id,
    heard_seconds: 0,
    position_seconds: state.positionSeconds,
    duration_seconds: state.durationSeconds,
    readAtMs,
    reportedSeconds: null,
    ...getPlayContext(state),
  }
}

/** Radio tracks that autoplay adds after the end of a list count as plays of the radio, not of the list. */
function getPlayContext({ queue, station, context }: PlayerState): { context?: PlayContext } {
  if (currentEntry(queue)?.by_radio && station) {
    return { context: { kind: 'radio', seed: station.seed } }
  }
  return context ? { context } : {}
}

/** Adds the time played since the last call: counts only while the position advances, and no faster than the clock. */
function addPlayedTime(play: Play, state: PlayerState, before: PlayerState, nowMs: number): void {
  const movedSeconds = state.positionSeconds - play.position_seconds
  play.duration_seconds = state.durationSeconds
  if (movedSeconds === 0 && state.playing === before.playing) return
  const passedSeconds = (nowMs - play.readAtMs) / 1000
  const isJump = state.seek.number !== before.seek.number || state.instance !== before.instance
  if (movedSeconds > 0 && before.playing && !isJump) {
    play.heard_seconds += Math.min(passedSeconds, movedSeconds / state.settings.speed)
  }
  play.position_seconds = state.positionSeconds
  play.readAtMs = nowMs
}
