// The tracks of a playlist with sorting and selection, for all pages that show a playlist.
import { memo, useCallback, useMemo } from 'react'
import type { Playlist } from '#contract/playlists.ts'
import type { Track } from '#contract/tracks.ts'
import { ListTools, type ListToolsProps } from '../catalogue/list-tools/list-tools.tsx'
import type { SelectedTrack, TrackSelection } from '../catalogue/selection/track-selection.ts'
import { TrackList } from '../catalogue/track-list.tsx'
import { TrackRow, TrackRowHeader } from '../catalogue/track-row.tsx'
import { TrackRowActions } from '../catalogue/track-row-actions.tsx'
import type { PlayTracksOptions } from '../player/playback/player-actions.ts'
import { formatAdder, formatFirstTags } from './first-tags.ts'
import type { usePlaylistTracks } from './playlist-tracks.ts'

export interface PlaylistTrackListProps {
  playlist: Playlist
  tracks: ReturnType<typeof usePlaylistTracks>
  sorting: Pick<ListToolsProps, 'sort' | 'onSort'>
  selection: TrackSelection
  start: (options: PlayTracksOptions) => void
  /** Removes a track from the playlist. Undefined if the user may not change the tracks. */
  onRemove: ((track: Track) => void) | undefined
  onRemoveMany: ((tracks: readonly SelectedTrack[]) => void) | undefined
  /** If true, shows who added each track instead of its genre. */
  showsAdders?: boolean
}

const facetNames = ['Genre', 'Tags']
const sharedFacetNames = ['Added', 'Tags']

export function PlaylistTrackList(props: PlaylistTrackListProps) {
  const { playlist, tracks, sorting, selection, start, onRemove, onRemoveMany } = props
  const { showsAdders = false } = props
  const playRow = useCallback((index: number) => start({ startIndex: index }), [start])
  return (
    <>
      <ListTools
        {...sorting}
        selection={selection}
        source={playlist.title}
        ownOrder="Playlist order"
        onRemove={onRemoveMany}
      />
      <TrackList
        label={`Tracks of ${playlist.title}`}
        selection={selection}
        count={tracks.total}
        trackAt={tracks.trackAt}
        onRange={tracks.onRange}
        onPlay={playRow}
        header={
          <TrackRowHeader
            facets={showsAdders ? sharedFacetNames : facetNames}
            numbered
            {...sorting}
          />
        }
        renderRow={(track, index, inTabOrder) => (
          <PlaylistTrackRow
            {...{ track, index, inTabOrder, onRemove }}
            addedBy={showsAdders ? (tracks.adderAt(index) ?? null) : undefined}
            onPlay={playRow}
          />
        )}
        {...(onRemove && { onRemove })}
      />
    </>
  )
}

interface PlaylistTrackRowProps {
  track: Track
  index: number
  inTabOrder: boolean
  onPlay: (index: number) => void
  onRemove: ((track: Track) => void) | undefined
  /** Name of the member who added the track. Undefined if the genre is shown instead. */
  addedBy: string | null | undefined
}

const PlaylistTrackRow = memo(function PlaylistTrackRow(props: PlaylistTrackRowProps) {
  const { track, index, inTabOrder, onPlay, onRemove, addedBy } = props
  const { genre, tags } = track
  const facets = useMemo(
    () => [addedBy === undefined ? genre : formatAdder(addedBy), formatFirstTags(tags)],
    [genre, tags, addedBy],
  )
  const actions = useMemo(
    () => <TrackRowActions {...{ track, inTabOrder, onRemove }} />,
    [track, inTabOrder, onRemove],
  )
  return <TrackRow {...{ track, index, inTabOrder, facets, onPlay, actions }} number={index + 1} />
})
