// What can be done with a track in Browse: like, add, share. A narrow row keeps the heart and folds the
// rest into one menu.
import { IconShare3 } from '@tabler/icons-react'
import type { Track } from '#contract/tracks.ts'
import { AddToPlaylistMenu } from '../catalogue/add-to-playlist-menu.tsx'
import { LikeButton } from '../catalogue/like-button.tsx'
import { shareTrack } from '../catalogue/share-track.ts'
import { IconButton } from '../ui/icon-button.tsx'
import styles from './browse-track-actions.module.css'

export function BrowseTrackActions({ track, inTabOrder }: { track: Track; inTabOrder: boolean }) {
  return (
    <>
      <LikeButton {...{ track, inTabOrder }} />
      <span className={styles.wide}>
        <AddToPlaylistMenu {...{ track, inTabOrder }} variant="add" />
        <IconButton
          label={`Share ${track.title}`}
          data-control="share"
          tabIndex={inTabOrder ? 0 : -1}
          onClick={() => void shareTrack(track)}
        >
          <IconShare3 />
        </IconButton>
      </span>
      <span className={styles.narrow}>
        <AddToPlaylistMenu {...{ track, inTabOrder }} variant="more" />
      </span>
    </>
  )
}
