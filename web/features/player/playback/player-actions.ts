// All actions of the player. Plain functions, so that buttons, keys, the lock screen and other screens share them.
import type { PlayContext } from '#contract/play-context.ts'
import { isOnline } from '../../../base/api/connection.ts'
import {
  afterNext,
  afterPrevious,
  clearQueue as clearAround,
  currentEntry,
  cycleRepeat as cycle,
  enqueue as append,
  enqueueNext as insertNext,
  enqueueRadio,
  jumpTo,
  moveEntry,
  moveEntryNext,
  removeEntry,
  startQueue,
  toggleShuffle as shuffleOrNot,
  type PlayQueue,
  type RepeatMode,
} from '../queue/play-queue.ts'
import { stepToAudible } from './audible-queue.ts'
import { withRadioFallback } from './radio-ahead.ts'
import { requestPlay, cancelPlayRequests } from '../queue/play-requests.ts'
import type { PlayerSettings } from '../queue/player-settings.ts'
import {
  isSpotLocked,
  selectTrack,
  selectPlaybackSource,
  usePlayer,
  type PlayerState,
} from './player-store.ts'
import type { PlayerTrack } from '../queue/player-track.ts'
import type { SleepTimer } from '../queue/sleep-timer.ts'
import type { Station } from '../queue/station.ts'

export interface PlayTracksOptions {
  /** Index of the track to play first. Defaults to the first, or a random one when shuffled. */
  startIndex?: number
  /** Defaults to the current setting. */
  shuffle?: boolean
  /** Defaults to the current setting. Play All passes 'all'. */
  repeat?: RepeatMode
  /** Name of the list's source, shown in the queue panel. */
  source?: string
  /** Identifies the list, so that it can be continued later. */
  context?: PlayContext
}

/** Replaces the queue and plays the tracks. A newer request replaces an older one. */
export function playTracks(tracks: readonly PlayerTrack[], options: PlayTracksOptions = {}): void {
  if (tracks.length === 0) return
  cancelPlayRequests()
  const { source = null, context = null, ...order } = options
  const queue = startQueue(usePlayer.getState().queue, tracks, order)
  usePlayer.setState({ station: null, radioAhead: null, context })
  advanceTo(stepToAudible(queue, (same) => same) ?? queue, { source })
}

/** Replaces the queue with a radio station and plays its tracks in order. */
export function playStation(tracks: readonly PlayerTrack[], station: Station): void {
  const context = { kind: 'radio', seed: station.seed } as const
  playTracks(tracks.slice(0, 1), { source: station.title, context, shuffle: false, repeat: 'off' })
  usePlayer.setState(({ queue }) => ({ queue: enqueueRadio(queue, tracks.slice(1)), station }))
}

export function togglePlay(): void {
  if (usePlayer.getState().playing) pause()
  else play()
}

export function play(): void {
  const state = usePlayer.getState()
  if (!currentEntry(state.queue) || state.playing) return
  if (state.spot) {
    usePlayer.setState({ playing: true, problem: null })
    return
  }
  // After a preview has ended or the retries have failed, the track must be opened again.
  if (state.isPreviewEnded) playFrom(state.queue)
  else if (state.problem) playFrom(state.queue, { startSeconds: state.positionSeconds })
  else usePlayer.setState({ playing: true })
}

export function pause(): void {
  usePlayer.setState({ playing: false })
}

export function skipNext(): void {
  const state = usePlayer.getState()
  if (state.spot) return skipSpot(state)
  const next = stepToAudible(state.queue, withRadioFallback(afterNext))
  if (next) advanceTo(next)
  else stopAtBeginning()
}

export function skipPrevious(): void {
  const state = usePlayer.getState()
  if (isSpotLocked(state)) return
  const previous = stepToAudible(state.queue, afterPrevious)
  if (previous) advanceTo(previous)
}

export function playEntry(entryId: number): void {
  requestPlay()
  advanceTo(jumpTo(usePlayer.getState().queue, entryId))
}

/** Seeks within the track, clamped to its start and end. */
export function seekTo(seconds: number): void {
  const { durationSeconds, isPreviewEnded, queue, seek, spot } = usePlayer.getState()
  if (!currentEntry(queue) || spot) return
  const place = Math.min(Math.max(seconds, 0), durationSeconds || seconds)
  usePlayer.setState({
    seek: { number: seek.number + 1, seconds: place },
    positionSeconds: place,
    isPreviewEnded: isPreviewEnded && place >= durationSeconds,
  })
}

export function seekBy(seconds: number): void {
  seekTo(usePlayer.getState().positionSeconds + seconds)
}

/** Sets the volume, from 0 to 100. Also unmutes. */
export function setVolume(volume: number): void {
  const inRange = Math.min(Math.max(Math.round(volume), 0), 100)
  usePlayer.setState({ volume: inRange, muted: false })
}

export function changeVolume(by: number): void {
  setVolume(usePlayer.getState().volume + by)
}

export function toggleMute(): void {
  usePlayer.setState(({ muted }) => ({ muted: !muted }))
}

export function toggleShuffle(): void {
  editQueue((queue) => shuffleOrNot(queue))
}

export function cycleRepeat(): void {
  editQueue(cycle)
}

/** Inserts tracks after the current one. Plays them if the queue was empty. */
export function enqueueNext(tracks: readonly PlayerTrack[]): void {
  add(tracks, insertNext)
}

/** Appends tracks. Plays them if the queue was empty. */
export function enqueue(tracks: readonly PlayerTrack[]): void {
  add(tracks, append)
}

export function removeFromQueue(entryId: number): void {
  const state = usePlayer.getState()
  const isCurrent = currentEntry(state.queue)?.entry_id === entryId
  if (!isCurrent) return editQueue((queue) => removeEntry(queue, entryId))
  const hasFollower = state.queue.index < state.queue.entries.length - 1
  playFrom(removeEntry(state.queue, entryId), { playing: state.playing && hasFollower })
}

export function moveInQueue(entryId: number, toIndex: number): void {
  editQueue((queue) => moveEntry(queue, entryId, toIndex))
}

export function moveInQueueNext(entryId: number): void {
  editQueue((queue) => moveEntryNext(queue, entryId))
}

/**
 * Removes all entries except the current one. Returns a function that restores them, unless the queue has changed
 * since.
 */
export function clearQueue(): () => void {
  const { queue: before } = usePlayer.getState()
  editQueue(clearAround)
  const cleared = usePlayer.getState().queue
  return () => editQueue((queue) => (queue === cleared ? before : queue))
}

export function dismissPreviewEnded(): void {
  usePlayer.setState({ isPreviewEnded: false })
}

export function changeSettings(change: Partial<PlayerSettings>): void {
  usePlayer.setState(({ settings }) => ({ settings: { ...settings, ...change } }))
}

export function setSleepTimer(sleep: SleepTimer): void {
  usePlayer.setState({ sleep })
}

/** Stops at the beginning of the current track, ready to play again. */
export function stopAtBeginning(): void {
  usePlayer.setState({ playing: false, isPreviewEnded: false })
  seekTo(0)
}

interface PlayFromOptions {
  playing?: boolean
  startSeconds?: number
  source?: string | null
  /** True to end even a spot that can't be skipped. */
  endsSpot?: boolean
}

/** Advances to another song. A spot that is due plays first; a card is shown while the song plays. */
export function advanceTo(queue: PlayQueue, options: PlayFromOptions = {}): void {
  const { spotAhead, instance, listener } = usePlayer.getState()
  const isDue = spotAhead?.instance === instance && listener?.is_premium === false
  if (!isDue || !currentEntry(queue)) return playFrom(queue, options)
  const { spot, show_id } = spotAhead
  if (spot.kind !== 'sound' || spot.audio_url === null || !isOnline()) {
    playFrom(queue, options)
    usePlayer.setState({ spotAhead: null, ...(isOnline() && { card: { spot, show_id } }) })
    return
  }
  const { playing = true, source } = options
  usePlayer.setState({
    queue,
    spot: { spot, show_id },
    spotAhead: null,
    card: null,
    playing,
    instance: instance + 1,
    startSeconds: 0,
    positionSeconds: 0,
    durationSeconds: spot.duration,
    isBuffering: false,
    isPreviewEnded: false,
    problem: null,
    ...(source !== undefined && { source }),
  })
}

/** Ends the spot and plays the song after it. */
export function endSpot(): void {
  const { spot, queue, playing } = usePlayer.getState()
  if (spot) playFrom(queue, { playing, endsSpot: true })
}

function skipSpot(state: PlayerState): void {
  if (!isSpotLocked(state)) playFrom(state.queue, { endsSpot: true })
}

export function dismissCard(): void {
  usePlayer.setState({ card: null })
}

/**
 * Starts a new instance of the queue's current track and clears the state of the previous one. A spot that can't be
 * skipped continues, and the track plays after it.
 */
export function playFrom(queue: PlayQueue, options: PlayFromOptions = {}): void {
  const { playing = true, startSeconds = 0, source, endsSpot = false } = options
  usePlayer.setState((state) => {
    const track = currentEntry(queue)?.track
    if (track && !endsSpot && isSpotLocked(state)) {
      return { queue, playing, ...(source !== undefined && { source }) }
    }
    const change: Partial<PlayerState> = {
      queue,
      spot: null,
      playing: playing && track !== undefined,
      instance: state.instance + 1,
      startSeconds,
      positionSeconds: startSeconds,
      durationSeconds: track ? selectPlaybackSource(state, track).durationSeconds : 0,
      isBuffering: false,
      isPreviewEnded: false,
      problem: null,
    }
    return source === undefined ? change : { ...change, source }
  })
}

/** Edits the queue; the current entry must stay the same. */
function editQueue(edit: (queue: PlayQueue) => PlayQueue): void {
  usePlayer.setState(({ queue }) => ({ queue: edit(queue) }))
}

function add(
  tracks: readonly PlayerTrack[],
  put: (queue: PlayQueue, tracks: readonly PlayerTrack[]) => PlayQueue,
): void {
  if (tracks.length === 0) return
  const state = usePlayer.getState()
  const queue = put(state.queue, tracks)
  if (selectTrack(state)) usePlayer.setState({ queue })
  else playFrom(queue)
}
