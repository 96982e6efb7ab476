// The button that opens a track's menu: More, or a plus that lists only the playlists.
import { IconDots, IconPlaylistAdd } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import type { Track } from '#contract/tracks.ts'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { useSelectOne } from './selection/track-selection.ts'
import { useTrackMenu } from './track-menu.tsx'

export interface TrackMenuButtonProps {
  track: Track
  inTabOrder: boolean
  part?: 'playlists'
  onRemove?: ((track: Track) => void) | undefined
}

export function TrackMenuButton({ track, inTabOrder, part, onRemove }: TrackMenuButtonProps) {
  const menu = useTrackMenu()
  const onChoose = useSelectOne(track)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <IconButton
      label={part ? 'Add to playlist' : `More for ${track.title}`}
      data-control={part ? 'add' : 'more'}
      tabIndex={inTabOrder ? 0 : -1}
      aria-haspopup="menu"
      aria-expanded={isOpen}
      aria-controls={isOpen ? menu.menuId : undefined}
      onClick={({ currentTarget }) => {
        if (isOpen) return menu.close()
        setIsOpen(true)
        menu.open({
          track,
          anchor: currentTarget,
          align: 'end',
          opener: currentTarget,
          ...(part && { part }),
          onRemove,
          onChoose,
          onClose: () => setIsOpen(false),
        })
      }}
    >
      {part ? <IconPlaylistAdd /> : <IconDots />}
    </IconButton>
  )
}
