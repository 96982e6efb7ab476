// One playlist: the user's own, a curated one, or another member's public one.
import { useQuery } from '@tanstack/react-query'
import {
  IconArrowsShuffle,
  IconMusic,
  IconPencil,
  IconPlayerPlayFilled,
  IconRepeat,
  IconRepeatOnce,
} from '#web/base/ui/icons/icons.ts'
import { useParams } from 'react-router'
import type { Playlist } from '#contract/playlists.ts'
import { canHearRestricted, restrictionNow } from '../../base/format/format-restriction.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { useSession } from '../../base/session/session.ts'
import { CollectionHeadSkeleton } from '../catalogue/cards/collection-head.tsx'
import { mayChangeTracks, formatSharedBy } from '../catalogue/queries/playlist-role.ts'
import { playlistOptions } from '../catalogue/queries/playlist-queries.ts'
import { RadioButton } from '../catalogue/radio-button.tsx'
import { TrackListSkeleton } from '../catalogue/track-list.tsx'
import { TrackActionsProvider } from '../catalogue/track-menu.tsx'
import { usePlayList } from '../catalogue/use-play-list.ts'
import { DownloadButton } from '../offline/download-button.tsx'
import { downloadedTracksId } from '../../base/offline-store/downloaded-songs.ts'
import { cycleRepeat, toggleShuffle } from '../player/playback/player-actions.ts'
import { isShuffled } from '../player/queue/play-queue.ts'
import { usePlayer } from '../player/playback/player-store.ts'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { keepRowFocus } from '../../base/ui/lists/keep-row-focus.ts'
import { ShareButton } from '../shared-playlists/shared-playlist-buttons.tsx'
import { PlaylistHead, VisibilityLabel } from './playlist-head.tsx'
import { PremiumPlaylist } from './premium-playlist.tsx'
import { PlaylistProblem } from './playlist-problem.tsx'
import { PlaylistTrackList } from './playlist-track-list.tsx'
import { useSelectableTracks } from './playlist-tracks.ts'
import { useTrackRemoval } from './use-track-removal.tsx'
import layout from '../../base/ui/layout/layout.module.css'

export function PlaylistDetailPage() {
  const { id = '' } = useParams()
  const playlist = useQuery(playlistOptions(id))
  return (
    <TrackActionsProvider>
      <div className={layout.page}>
        {playlist.isPending && (
          <>
            <CollectionHeadSkeleton />
            <TrackListSkeleton />
          </>
        )}
        {playlist.isError && !playlist.data && <PlaylistProblem query={playlist} />}
        {playlist.data && <PlaylistDetail key={id} playlist={playlist.data} />}
      </div>
    </TrackActionsProvider>
  )
}

function PlaylistDetail({ playlist }: { playlist: Playlist }) {
  const { user } = useSession()
  const restriction = restrictionNow(playlist)
  // Admins may view other members' playlists. The server decides who may see them.
  if (!restriction || canHearRestricted(user)) {
    return <PlaylistContent playlist={playlist} />
  }
  return (
    <>
      <PlaylistHead playlist={playlist} kind={<Kind playlist={playlist} />} />
      <PremiumPlaylist restriction={restriction} />
    </>
  )
}

function PlaylistContent({ playlist }: { playlist: Playlist }) {
  // The playlist of single songs exists only on this device.
  const isOfDevice = playlist.id === downloadedTracksId
  const { tracks, sorting, selection } = useSelectableTracks(playlist)
  const { start, isShuffling } = usePlayList({
    source: playlist.title,
    ...(!isOfDevice && { context: { kind: 'playlist', id: playlist.id } }),
    list: tracks.playable,
  })
  const { onRemove, onRemoveMany, dialogs } = useTrackRemoval(playlist, selection)
  const mayChange = mayChangeTracks(playlist)
  return (
    <div ref={keepRowFocus}>
      <PlaylistHead playlist={playlist} kind={<Kind playlist={playlist} />}>
        <PlayAllWithModes {...{ start, isShuffling }} disabled={tracks.total === 0} />
        {!isOfDevice && (
          <RadioButton seed={{ kind: 'playlist', id: playlist.id }} disabled={tracks.total === 0} />
        )}
        <DownloadButton playlist={playlist} />
        {playlist.role && <ShareButton playlist={playlist} />}
        {mayChange && (
          <ButtonLink
            to={`/playlist/${playlist.id}`}
            variant="quiet"
            icon={<IconPencil size={20} aria-hidden />}
          >
            Edit
          </ButtonLink>
        )}
      </PlaylistHead>
      {tracks.isPending && <TrackListSkeleton />}
      {tracks.isError && tracks.total === 0 && <PlaylistProblem query={tracks.query} />}
      {tracks.query.isSuccess && tracks.total === 0 && (
        <EmptyState
          icon={<IconMusic />}
          title={playlist.is_smart ? 'No tracks match these rules yet' : 'This playlist is empty'}
        />
      )}
      {tracks.total > 0 && (
        <PlaylistTrackList
          {...{ playlist, tracks, sorting, selection, start, onRemove, onRemoveMany }}
        />
      )}
      {dialogs}
    </div>
  )
}

function Kind({ playlist }: { playlist: Playlist }) {
  if (playlist.is_curated) return <Badge tone="accent">Curated</Badge>
  return formatSharedBy(playlist) ?? <VisibilityLabel {...playlist} />
}

interface PlayAllWithModesProps {
  start: ReturnType<typeof usePlayList>['start']
  isShuffling: boolean
  disabled: boolean
}

/** Play All, with the player's shuffle and repeat buttons beside it. */
function PlayAllWithModes({ start, isShuffling, disabled }: PlayAllWithModesProps) {
  const shuffled = usePlayer((state) => isShuffled(state.queue))
  const repeat = usePlayer((state) => state.queue.repeat)
  return (
    <>
      <Button
        variant="primary"
        icon={<IconPlayerPlayFilled />}
        disabled={disabled}
        busy={isShuffling}
        onClick={() => start({ repeat: 'all' })}
      >
        Play All
      </Button>
      <IconButton label="Shuffle" variant="raised" pressed={shuffled} onClick={toggleShuffle}>
        <IconArrowsShuffle />
      </IconButton>
      <IconButton
        label={`Repeat: ${repeat}`}
        variant="raised"
        pressed={repeat !== 'off'}
        onClick={cycleRepeat}
      >
        {repeat === 'one' ? <IconRepeatOnce /> : <IconRepeat />}
      </IconButton>
    </>
  )
}
