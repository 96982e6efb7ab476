// The tint of the current track's cover as a CSS property, for backgrounds.
import type { CSSProperties } from 'react'
import type { PlayerTrack } from '../queue/player-track.ts'
import './room-tint.css'

export function roomTint(track: Pick<PlayerTrack, 'cover_tint'>): CSSProperties | undefined {
  return track.cover_tint ? ({ '--room-tint': track.cover_tint } as CSSProperties) : undefined
}
