// One playlist that the user owns or shares, opened in place: its head, its tracks and all actions.
import { useQuery } from '@tanstack/react-query'
import { IconArrowLeft, IconMusicPlus } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import { freeLimits } from '#contract/plans.ts'
import type { Playlist } from '#contract/playlists.ts'
import { useSession } from '../../base/session/session.ts'
import { CollectionHeadSkeleton } from '../catalogue/cards/collection-head.tsx'
import { usePlaylistActions } from '../catalogue/playlist-actions.tsx'
import { mayChangeTracks } from '../catalogue/queries/playlist-role.ts'
import { playlistOptions } from '../catalogue/queries/playlist-queries.ts'
import { usePlayList } from '../catalogue/use-play-list.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { AddTrackDialog } from './add-track-dialog.tsx'
import { EditPlaylistForm } from './edit-playlist-form.tsx'
import styles from './open-playlist.module.css'
import { OpenPlaylistHead } from './open-playlist-head.tsx'
import { OpenPlaylistTracks } from './open-playlist-tracks.tsx'
import { PlaylistProblem } from './playlist-problem.tsx'
import { useSelectableTracks } from './playlist-tracks.ts'

export interface OpenPlaylistProps {
  id: string
  isEditing: boolean
  onEdit: (editing: boolean) => void
  onBack: () => void
}

export function OpenPlaylist(props: OpenPlaylistProps) {
  const { id, onBack } = props
  const playlist = useQuery(playlistOptions(id))
  return (
    <div className={styles.page}>
      <Button variant="quiet" icon={<IconArrowLeft />} onClick={onBack}>
        Back to playlists
      </Button>
      {playlist.isPending && <CollectionHeadSkeleton />}
      {playlist.isError && !playlist.data && <PlaylistProblem query={playlist} />}
      {playlist.data && <OpenPlaylistContent {...props} playlist={playlist.data} />}
    </div>
  )
}

const noIds: ReadonlySet<string> = new Set()

function OpenPlaylistContent(props: OpenPlaylistProps & { playlist: Playlist }) {
  const { playlist, isEditing, onEdit, onBack } = props
  const { user } = useSession()
  const { showUpgrade } = usePlaylistActions()
  const [isAdding, setIsAdding] = useState(false)
  const { tracks, sorting, selection } = useSelectableTracks(playlist)
  const { start, isShuffling } = usePlayList({
    source: playlist.title,
    context: { kind: 'playlist', id: playlist.id },
    list: tracks.playable,
  })
  const isFull = !user?.is_premium && playlist.track_count >= freeLimits.tracks_per_playlist
  const addTracks = () => (isFull ? showUpgrade('tracks') : setIsAdding(true))

  return (
    <>
      {isEditing && playlist.is_own ? (
        <EditPlaylistForm playlist={playlist} onDone={() => onEdit(false)} />
      ) : (
        <OpenPlaylistHead
          {...{ playlist, start, isShuffling }}
          isFree={user?.is_premium === false}
          onAddTrack={addTracks}
          onEdit={() => onEdit(true)}
          onDeleted={onBack}
        />
      )}
      <OpenPlaylistTracks
        {...{ playlist, tracks, start, sorting, selection }}
        addButton={
          mayChangeTracks(playlist) && (
            <Button variant="primary" icon={<IconMusicPlus />} onClick={addTracks}>
              Add Track
            </Button>
          )
        }
      />
      <AddTrackDialog
        open={isAdding}
        playlist={playlist}
        known={isAdding ? tracks.knownIds() : noIds}
        onClose={() => setIsAdding(false)}
      />
    </>
  )
}
