// What can be done with a track in Browse: like, add, share. A narrow list keeps the heart and folds
// the rest into one menu.
import { IconShare3 } from '@tabler/icons-react'
import { use } from 'react'
import type { Track } from '#contract/tracks.ts'
import { AddToPlaylistMenu } from '../catalogue/add-to-playlist-menu.tsx'
import { LikeButton } from '../catalogue/like-button.tsx'
import { ListSizeContext } from '../catalogue/list-size.ts'
import { shareTrack } from '../catalogue/share-track.ts'
import { IconButton } from '../ui/icon-button.tsx'

export function BrowseTrackActions({ track, inTabOrder }: { track: Track; inTabOrder: boolean }) {
  const isNarrow = use(ListSizeContext) === 'narrow'
  return (
    <>
      <LikeButton {...{ track, inTabOrder }} />
      <AddToPlaylistMenu {...{ track, inTabOrder }} variant={isNarrow ? 'more' : 'add'} />
      {!isNarrow && (
        <IconButton
          label={`Share ${track.title}`}
          data-control="share"
          tabIndex={inTabOrder ? 0 : -1}
          onClick={() => void shareTrack(track)}
        >
          <IconShare3 />
        </IconButton>
      )}
    </>
  )
}
