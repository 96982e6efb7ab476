// Removes tracks from a playlist after a confirmation: a single track from its row, or all selected ones.
import { useState, type ReactNode } from 'react'
import type { Playlist } from '#contract/playlists.ts'
import type { Track } from '#contract/tracks.ts'
import { RemoveTracksDialog } from '../catalogue/list-tools/remove-tracks-dialog.tsx'
import { mayChangeTracks } from '../catalogue/queries/playlist-role.ts'
import {
  endSelecting,
  type SelectedTrack,
  type TrackSelection,
} from '../catalogue/selection/track-selection.ts'
import { RemoveTrackDialog } from './remove-track-dialog.tsx'

export interface TrackRemoval {
  /** Removes a track from the playlist. Undefined if the user may not change the tracks. */
  onRemove: ((track: Track) => void) | undefined
  onRemoveMany: ((tracks: readonly SelectedTrack[]) => void) | undefined
  /** Render the dialogs even if the list is empty: they show the toast after the last track is removed. */
  dialogs: ReactNode
}

export function useTrackRemoval(playlist: Playlist, selection: TrackSelection): TrackRemoval {
  const [removing, setRemoving] = useState<Track>()
  const [removingMany, setRemovingMany] = useState<readonly SelectedTrack[]>([])
  const mayChange = mayChangeTracks(playlist)
  return {
    onRemove: mayChange ? setRemoving : undefined,
    onRemoveMany: mayChange ? setRemovingMany : undefined,
    dialogs: (
      <>
        <RemoveTrackDialog
          playlist={playlist}
          track={removing}
          onClose={() => setRemoving(undefined)}
        />
        <RemoveTracksDialog
          playlist={playlist}
          tracks={removingMany}
          onRemoved={() => endSelecting(selection)}
          onClose={() => setRemovingMany([])}
        />
      </>
    ),
  }
}
