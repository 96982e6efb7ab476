// The tracks of a playlist that the user owns or shares, with a Remove button for the owner and editors.
import { IconMusic } from '#web/base/ui/icons/icons.ts'
import type { ReactNode } from 'react'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { keepRowFocus } from '../../base/ui/lists/keep-row-focus.ts'
import { isShared } from '../catalogue/queries/playlist-role.ts'
import { TrackListSkeleton } from '../catalogue/track-list.tsx'
import { PlaylistProblem } from './playlist-problem.tsx'
import { PlaylistTrackList, type PlaylistTrackListProps } from './playlist-track-list.tsx'
import { useTrackRemoval } from './use-track-removal.tsx'

type OpenPlaylistTracksProps = Pick<
  PlaylistTrackListProps,
  'playlist' | 'tracks' | 'sorting' | 'selection' | 'start'
> & { addButton: ReactNode }

export function OpenPlaylistTracks({ addButton, ...list }: OpenPlaylistTracksProps) {
  const { playlist, tracks, selection } = list
  const { onRemove, onRemoveMany, dialogs } = useTrackRemoval(playlist, selection)
  return (
    <>
      <div ref={keepRowFocus}>
        {tracks.isPending ? (
          <TrackListSkeleton />
        ) : tracks.total > 0 ? (
          <PlaylistTrackList
            {...list}
            {...{ onRemove, onRemoveMany }}
            showsAdders={isShared(playlist)}
          />
        ) : tracks.isError ? (
          <PlaylistProblem query={tracks.query} />
        ) : (
          <NoTracks isSmart={playlist.is_smart} addButton={addButton} />
        )}
      </div>
      {dialogs}
    </>
  )
}

function NoTracks({ isSmart, addButton }: { isSmart: boolean | undefined; addButton: ReactNode }) {
  if (isSmart) {
    return (
      <EmptyState
        icon={<IconMusic />}
        title="No tracks match these rules yet"
        message="Matching tracks are added automatically."
      />
    )
  }
  return (
    <EmptyState
      icon={<IconMusic />}
      title="This playlist is empty"
      message={addButton ? 'Add your first track.' : 'Tracks that others add appear here.'}
      action={addButton}
    />
  )
}
