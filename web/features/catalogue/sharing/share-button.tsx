// Shares an artist or a playlist.
import { IconShare3 } from '#web/base/ui/icons/icons.ts'
import { IconButton } from '../../../base/ui/controls/icon-button.tsx'
import { shareLink } from './share-track.ts'

export function ShareButton({ title, path }: { title: string; path: string }) {
  return (
    <IconButton
      label={`Share ${title}`}
      variant="quiet"
      onClick={() => void shareLink({ title, artist: '' }, path)}
    >
      <IconShare3 />
    </IconButton>
  )
}
