// The tracks of a playlist that the user owns or shares, with a Remove button for owner and editors.
import { IconMusic } from '#web/base/ui/icons/icons.ts'
import { memo, useCallback, useMemo, useState, type ReactNode } from 'react'
import type { Playlist } from '#contract/playlists.ts'
import type { Track } from '#contract/tracks.ts'
import { TrackList, TrackListSkeleton } from '../catalogue/track-list.tsx'
import { TrackRow, TrackRowHeader } from '../catalogue/track-row.tsx'
import { TrackRowActions } from '../catalogue/track-row-actions.tsx'
import { ListTools, type ListToolsProps } from '../catalogue/list-tools/list-tools.tsx'
import {
  endChoosing,
  type ChosenTrack,
  type TrackSelection,
} from '../catalogue/selection/track-selection.ts'
import type { PlayTracksOptions } from '../player/playback/player-actions.ts'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { keepRowFocus } from '../../base/ui/lists/keep-row-focus.ts'
import { isShared, mayChangeTracks } from '../catalogue/queries/playlist-role.ts'
import { adderFacet, firstTags } from './first-tags.ts'
import { PlaylistProblem } from './playlist-problem.tsx'
import type { usePlaylistTracks } from './playlist-tracks.ts'
import { RemoveTrackDialog } from './remove-track-dialog.tsx'
import { RemoveTracksDialog } from '../catalogue/list-tools/remove-tracks-dialog.tsx'

export interface OpenPlaylistTracksProps {
  playlist: Playlist
  tracks: ReturnType<typeof usePlaylistTracks>
  sorting: Pick<ListToolsProps, 'sort' | 'onSort'>
  selection: TrackSelection
  start: (options: PlayTracksOptions) => void
  addButton: ReactNode
}

const facetNames = ['Genre', 'Tags']
const sharedFacetNames = ['Added', 'Tags']

export function OpenPlaylistTracks(props: OpenPlaylistTracksProps) {
  const { playlist, selection } = props
  const [removing, setRemoving] = useState<Track>()
  const [removingMany, setRemovingMany] = useState<readonly ChosenTrack[]>([])
  return (
    <>
      <div ref={keepRowFocus}>
        <TracksOrState {...props} onRemove={setRemoving} onRemoveMany={setRemovingMany} />
      </div>
      {/* Mounted in all states: it shows the toast after the last track was removed, when there are no rows any more. */}
      <RemoveTrackDialog
        playlist={playlist}
        track={removing}
        onClose={() => setRemoving(undefined)}
      />
      <RemoveTracksDialog
        playlist={playlist}
        tracks={removingMany}
        onRemoved={() => endChoosing(selection)}
        onClose={() => setRemovingMany([])}
      />
    </>
  )
}

type TracksOrStateProps = OpenPlaylistTracksProps & {
  onRemove: (track: Track) => void
  onRemoveMany: (tracks: readonly ChosenTrack[]) => void
}

function TracksOrState(props: TracksOrStateProps) {
  const { playlist, tracks, start, addButton, onRemoveMany, sorting, selection } = props
  const mayChange = mayChangeTracks(playlist)
  const onRemove = mayChange ? props.onRemove : undefined
  const shares = isShared(playlist)
  const playRow = useCallback((index: number) => start({ startIndex: index }), [start])
  if (tracks.isPending) return <TrackListSkeleton />
  if (tracks.isError && tracks.total === 0) return <PlaylistProblem query={tracks.query} />
  if (tracks.total === 0 && playlist.is_smart) {
    return (
      <EmptyState
        icon={<IconMusic />}
        title="No song fits these rules yet"
        message="It fills itself as soon as one does."
      />
    )
  }
  if (tracks.total === 0) {
    return (
      <EmptyState
        icon={<IconMusic />}
        title="Nothing in here yet"
        message={
          addButton
            ? 'Add the first track, and the rest will find their way.'
            : 'Tracks that others add appear here.'
        }
        action={addButton}
      />
    )
  }
  return (
    <>
      <ListTools
        {...sorting}
        selection={selection}
        source={playlist.title}
        ownOrder="Order of the playlist"
        onRemove={mayChange ? onRemoveMany : undefined}
      />
      <TrackList
        label={`Tracks of ${playlist.title}`}
        selection={selection}
        count={tracks.total}
        trackAt={tracks.trackAt}
        onRange={tracks.onRange}
        onPlay={playRow}
        header={
          <TrackRowHeader facets={shares ? sharedFacetNames : facetNames} numbered {...sorting} />
        }
        renderRow={(track, index, inTabOrder) => (
          <OpenPlaylistRow
            {...{ track, index, inTabOrder, onRemove }}
            addedBy={shares ? (tracks.adderAt(index) ?? null) : undefined}
            onPlay={playRow}
          />
        )}
        {...(onRemove && { onRemove })}
      />
    </>
  )
}

interface OpenPlaylistRowProps {
  track: Track
  index: number
  inTabOrder: boolean
  onPlay: (index: number) => void
  onRemove: ((track: Track) => void) | undefined
  /** Undefined for a playlist that is not shared. */
  addedBy: string | null | undefined
}

const OpenPlaylistRow = memo(function OpenPlaylistRow(props: OpenPlaylistRowProps) {
  const { track, index, inTabOrder, onPlay, onRemove, addedBy } = props
  const { genre, tags } = track
  const facets = useMemo(
    () =>
      addedBy === undefined ? [genre, firstTags(tags)] : [adderFacet(addedBy), firstTags(tags)],
    [genre, tags, addedBy],
  )
  const actions = useMemo(
    () => <TrackRowActions {...{ track, inTabOrder, onRemove }} />,
    [track, inTabOrder, onRemove],
  )
  return <TrackRow {...{ track, index, inTabOrder, facets, onPlay, actions }} number={index + 1} />
})
