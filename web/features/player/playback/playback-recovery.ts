// Resumes playback after a failure: retries with backoff, refreshes the session, skips tracks that can't play.
// Invariant: it gives up after a bounded number of retries and skips, and any other playback action cancels a pending
// retry.
import { showToast } from '../../../base/ui/overlays/toast-store.ts'
import { stepToAudible } from './audible-queue.ts'
import { endSpot, playFrom } from './player-actions.ts'
import { afterNext } from '../queue/play-queue.ts'
import { reportProblem, setListener, stopWithProblem } from './player-reports.ts'
import { selectTrack, selectPlaybackSource, usePlayer, type Listener } from './player-store.ts'
import {
  requestFile,
  classifyFailure,
  lostConnection,
  mediaNetworkError,
  type PlaybackFailure,
} from '../engine/playback-failure.ts'

/** The delays add up to about two minutes: enough for a tunnel or a server restart. */
const retryDelaysSeconds = [0.5, 1, 2, 4, 8, 15, 30, 60]
const maxSkipsInRow = 5
/** After this much sound the counters of retries and skips are reset. */
const healthyAfterSeconds = 1
const stalledAfterMs = 12_000
/** A spot that stalls for this long is ended, and the music resumes. */
const stalledSpotAfterMs = 3000

export interface RecoveryNeeds {
  /** Reopens the current file at the position where it stopped. */
  reload: () => void
  /** Fetches the current user from the server. */
  refreshListener: () => Promise<Listener | null>
  /** Checks with the server whether this player may play, and writes the result to the store. */
  confirmPlace: () => Promise<void>
}

export class PlaybackRecovery {
  readonly #needs: RecoveryNeeds
  #waiting = new AbortController()
  #retries = 0
  #skips = 0
  #instance = -1
  #playedFromSeconds = 0
  #stallTimer: ReturnType<typeof setTimeout> | undefined

  constructor(needs: RecoveryNeeds) {
    this.#needs = needs
  }

  /**
   * Call when buffering begins or ends. An element may wait for a lost connection forever, so a timer ends the wait.
   */
  onBuffering(isBuffering: boolean): void {
    clearTimeout(this.#stallTimer)
    if (!isBuffering) return
    const waitMs = usePlayer.getState().spot ? stalledSpotAfterMs : stalledAfterMs
    this.#stallTimer = setTimeout(() => void this.onFailed(mediaNetworkError), waitMs)
  }

  /**
   * Retries or skips. Call when the current file has failed. The promise never rejects.
   * @param mediaErrorCode as in `MediaError`
   */
  async onFailed(mediaErrorCode: number | undefined): Promise<void> {
    clearTimeout(this.#stallTimer)
    const state = usePlayer.getState()
    if (state.spot) return endSpot()
    const track = selectTrack(state)
    if (!track) return
    this.#follow(state.instance)
    this.#waiting.abort()
    this.#waiting = new AbortController()
    const { signal } = this.#waiting
    try {
      const answer = await requestFile(selectPlaybackSource(state, track).url, signal)
      const failure = classifyFailure(answer, mediaErrorCode, track.title)
      if (!signal.aborted) await this.#act(failure, signal)
    } catch (cause) {
      if (signal.aborted) return
      console.error(cause)
      stopWithProblem('Something went wrong. Press play to try again.')
    }
  }

  onProgress(positionSeconds: number): void {
    const { instance, problem } = usePlayer.getState()
    this.#follow(instance, positionSeconds)
    if (problem?.kind === 'retrying') reportProblem(null)
    if (positionSeconds - this.#playedFromSeconds < healthyAfterSeconds) return
    this.#retries = 0
    this.#skips = 0
  }

  /** Cancels pending retries. Call when another file is loaded. */
  reset(): void {
    this.#waiting.abort()
    clearTimeout(this.#stallTimer)
    this.#retries = 0
  }

  #follow(instance: number, positionSeconds = usePlayer.getState().startSeconds): void {
    if (this.#instance === instance && positionSeconds >= this.#playedFromSeconds) return
    this.#instance = instance
    this.#playedFromSeconds = positionSeconds
  }

  async #act(failure: PlaybackFailure, signal: AbortSignal): Promise<void> {
    if (failure.act === 'retry') return this.#retry(failure, signal)
    if (failure.act === 'skip') return this.#skip(failure.message)
    if (failure.act === 'check-place') return this.#checkPlace(signal)
    if (failure.act === 'stop') return stopWithProblem(failure.message)
    const { instance } = usePlayer.getState()
    const listener = await this.#needs.refreshListener()
    if (signal.aborted) return
    setListener(listener)
    if (usePlayer.getState().instance !== instance) return
    if (listener) this.#skip(failure.message)
    else stopWithProblem(failure.message)
  }

  /** The listener may have pressed play before the refusal arrived. Then the file can be opened again. */
  async #checkPlace(signal: AbortSignal): Promise<void> {
    // A paused player holds no place. The next play opens the file again.
    if (!usePlayer.getState().playing) return
    await this.#needs.confirmPlace()
    if (signal.aborted || usePlayer.getState().problem?.kind === 'elsewhere') return
    await this.#retry({ act: 'retry', message: lostConnection, retryAfterSeconds: null }, signal)
  }

  async #retry(
    { message, retryAfterSeconds }: Extract<PlaybackFailure, { act: 'retry' }>,
    signal: AbortSignal,
  ): Promise<void> {
    const delaySeconds = retryDelaysSeconds[this.#retries]
    if (delaySeconds === undefined) return stopWithProblem(`${message} Press play to try again.`)
    this.#retries += 1
    // The first retry is quick and shows no message.
    if (this.#retries > 1) reportProblem({ kind: 'retrying', message: `${message} Trying again…` })
    await sleepUntilOnline(Math.max(delaySeconds, retryAfterSeconds ?? 0), signal)
    if (!signal.aborted) this.#needs.reload()
  }

  #skip(message: string): void {
    const { queue } = usePlayer.getState()
    this.#skips += 1
    const next = stepToAudible(queue, afterNext)
    if (!next || this.#skips >= Math.min(maxSkipsInRow, queue.entries.length)) {
      return stopWithProblem(message)
    }
    showToast({ tone: 'destructive', title: 'Skipped', message })
    playFrom(next, { playing: usePlayer.getState().playing })
  }
}

/** Resolves after the delay, when the connection returns, or when the wait is aborted. */
function sleepUntilOnline(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = new AbortController()
    const finish = () => {
      clearTimeout(timer)
      done.abort()
      resolve()
    }
    const timer = setTimeout(finish, seconds * 1000)
    addEventListener('online', finish, { signal: done.signal })
    signal.addEventListener('abort', finish, { signal: done.signal })
    if (signal.aborted) finish()
  })
}
