// Integrates the lock screen, media keys, headphones and cars: shows the current track and handles their actions.
import { pictureSizes, pictureUrl } from '#contract/fields/pictures.ts'
import type { Spot } from '#contract/spots.ts'
import { pause, play, seekBy, seekTo, skipNext, skipPrevious } from './player-actions.ts'
import { selectTrack, usePlayer, type PlayerState } from './player-store.ts'
import type { PlayerTrack } from '../queue/player-track.ts'

/** Used when a seek request gives no offset. */
const usualJumpSeconds = 10
/** Normal progress needs no update of the position state. A jump of more than this does. */
const jumpToleranceSeconds = 1.5

/**
 * Connects the player to the browser's Media Session API until the returned function is called. `brandName` is the name
 * of the service.
 */
export function connectMediaSession(brandName: () => string): () => void {
  // `mediaSession` is absent in old browsers and in insecure contexts.
  const session = (navigator as Partial<Navigator>).mediaSession
  if (!session) return () => {}
  const actions = mediaActions()
  for (const [action, act] of actions) setAction(session, action, act)
  show(session, brandName, usePlayer.getState())
  const unsubscribe = usePlayer.subscribe((state, before) =>
    show(session, brandName, state, before),
  )

  return () => {
    unsubscribe()
    for (const [action] of actions) setAction(session, action, null)
    session.metadata = null
    session.playbackState = 'none'
  }
}

type ActionTable = [MediaSessionAction, (details: MediaSessionActionDetails) => void][]

function mediaActions(): ActionTable {
  return [
    ['play', play],
    ['pause', pause],
    ['stop', pause],
    ['nexttrack', skipNext],
    ['previoustrack', skipPrevious],
    ['seekbackward', ({ seekOffset }) => seekBy(-(seekOffset ?? usualJumpSeconds))],
    ['seekforward', ({ seekOffset }) => seekBy(seekOffset ?? usualJumpSeconds)],
    ['seekto', ({ seekTime }) => seekTo(seekTime ?? 0)],
  ]
}

function setAction(
  session: MediaSession,
  action: MediaSessionAction,
  handler: MediaSessionActionHandler | null,
): void {
  try {
    session.setActionHandler(action, handler)
  } catch {
    // The browser does not support this action.
  }
}

function show(
  session: MediaSession,
  brandName: () => string,
  state: PlayerState,
  before?: PlayerState,
): void {
  const track = selectTrack(state)
  const isOther = !before || track !== selectTrack(before) || state.spot !== before.spot
  if (isOther) {
    if (state.spot) session.metadata = toSpotMetadata(state.spot.spot, brandName())
    else session.metadata = track ? toMetadata(track) : null
  }
  if (isOther || state.playing !== before.playing) {
    session.playbackState = track ? (state.playing ? 'playing' : 'paused') : 'none'
  }
  if (!before || hasJumped(state, before)) showPosition(session, state)
}

function hasJumped(state: PlayerState, before: PlayerState): boolean {
  return (
    state.instance !== before.instance ||
    state.playing !== before.playing ||
    state.settings.speed !== before.settings.speed ||
    state.durationSeconds !== before.durationSeconds ||
    Math.abs(state.positionSeconds - before.positionSeconds) > jumpToleranceSeconds
  )
}

function showPosition(session: MediaSession, state: PlayerState): void {
  if (state.durationSeconds <= 0) {
    session.setPositionState?.()
    return
  }
  session.setPositionState?.({
    duration: state.durationSeconds,
    position: Math.min(state.positionSeconds, state.durationSeconds),
    playbackRate: state.spot ? 1 : state.settings.speed,
  })
}

function toMetadata({ title, artist, cover_url }: PlayerTrack): MediaMetadata {
  return new MediaMetadata({ title, artist, artwork: cover_url ? artwork(cover_url) : [] })
}

function toSpotMetadata({ title, cover_url }: Spot, brandName: string): MediaMetadata {
  const artist = `Message from ${brandName}`
  return new MediaMetadata({ title, artist, artwork: cover_url ? artwork(cover_url) : [] })
}

function artwork(coverUrl: string): MediaImage[] {
  return pictureSizes.map((size) => ({
    src: new URL(pictureUrl(coverUrl, size, 'webp'), location.href).href,
    sizes: `${size}x${size}`,
    type: 'image/webp',
  }))
}
