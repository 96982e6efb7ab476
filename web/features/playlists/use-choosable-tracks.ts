// Sorting and choosing the tracks of a playlist on the screen.
import { useState } from 'react'
import type { TrackSort } from '../catalogue/queries/track-queries.ts'
import { useTrackSelection } from '../catalogue/selection/track-selection.ts'
import { usePlaylistTracks } from './playlist-tracks.ts'

export function useChoosableTracks(playlistId: string) {
  const [sort, setSort] = useState<TrackSort>(null)
  const tracks = usePlaylistTracks(playlistId, sort)
  const selection = useTrackSelection(tracks.playable, sort)
  return { tracks, sorting: { sort, onSort: setSort }, selection }
}
