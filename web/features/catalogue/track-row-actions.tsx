// The buttons at the end of every track row. Actions that don't fit are only in the menu.
import { IconShare3, IconX } from '#web/base/ui/icons/icons.ts'
import { use } from 'react'
import type { Track } from '#contract/tracks.ts'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { LikeButton } from './like-button.tsx'
import { ListSizeContext } from './list-size.ts'
import { shareTrack } from './sharing/share-track.ts'
import { TrackMenuButton } from './track-menu-button.tsx'

export interface TrackRowActionsProps {
  track: Track
  inTabOrder: boolean
  /** Removes the track from the user's own playlist. */
  onRemove?: ((track: Track) => void) | undefined
}

export function TrackRowActions({ track, inTabOrder, onRemove }: TrackRowActionsProps) {
  const size = use(ListSizeContext)
  const isWide = size === 'wide' || size === 'very-wide'
  const tabIndex = inTabOrder ? 0 : -1
  return (
    <>
      {/* A narrow row has space for two buttons. */}
      {!(size === 'narrow' && onRemove) && <LikeButton {...{ track, inTabOrder }} />}
      {(isWide || (size === 'medium' && !onRemove)) && (
        <TrackMenuButton {...{ track, inTabOrder }} part="playlists" />
      )}
      {isWide && !onRemove && (
        <IconButton
          label={`Share ${track.title}`}
          data-control="share"
          tabIndex={tabIndex}
          onClick={() => void shareTrack(track)}
        >
          <IconShare3 />
        </IconButton>
      )}
      {onRemove && (
        <IconButton
          label={`Remove ${track.title}`}
          data-control="remove"
          tabIndex={tabIndex}
          onClick={() => onRemove(track)}
        >
          <IconX />
        </IconButton>
      )}
      <TrackMenuButton {...{ track, inTabOrder, onRemove }} />
    </>
  )
}
