// The screen that edits a playlist: text, cover, tracks and their order are saved together.
import { useQuery } from '@tanstack/react-query'
import { IconHome, IconPlaylist, IconVinyl } from '#web/base/ui/icons/icons.ts'
import { useEffect } from 'react'
import { useNavigate, useParams } from 'react-router'
import { getPlaylist, type Playlist } from '#contract/playlists.ts'
import { ApiError, call } from '../../base/api/api.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { showError } from '../../base/api/show-error.ts'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { mayChangeTracks } from '../catalogue/queries/playlist-role.ts'
import { SmartPlaylistDialog } from '../smart-playlists/smart-playlist-dialog.tsx'
import { EditPlaylist } from './edit-playlist.tsx'
import styles from './edit-playlist-page.module.css'
import { PlaylistProblem } from './playlist-problem.tsx'
import { fetchAllTracks } from './playlist-tracks.ts'

export function EditPlaylistPage() {
  const { id = '' } = useParams()
  const query = useQuery({
    queryKey: ['playlists', 'draft', id] as const,
    queryFn: ({ signal }) => fetchEditable(id, signal),
    // Fetch the playlist once: the draft must not change during editing or start from an outdated copy.
    staleTime: Infinity,
    gcTime: 0,
  })
  const isMissing = query.error instanceof ApiError && query.error.status === 404
  useLeaveOnFailure(isMissing ? null : query.error)

  return (
    <div className={styles.page}>
      <nav className={styles.navigation} aria-label="Quick links">
        <ButtonLink to="/" size="small" icon={<IconHome />}>
          Home
        </ButtonLink>
        <ButtonLink to="/browse" size="small" icon={<IconVinyl />}>
          Browse
        </ButtonLink>
        <ButtonLink to="/my-playlists" size="small" icon={<IconPlaylist />}>
          My Playlists
        </ButtonLink>
      </nav>
      {query.isPending && <EditPlaylistSkeleton />}
      {isMissing && <PlaylistProblem query={query} />}
      {query.data?.tracks && <EditPlaylist key={id} {...query.data} tracks={query.data.tracks} />}
      {query.data && !query.data.tracks && <EditSmartPlaylist playlist={query.data.playlist} />}
    </div>
  )
}

/** Opens the rule editor as a dialog. Closing the dialog opens the playlist. */
function EditSmartPlaylist({ playlist }: { playlist: Playlist }) {
  const navigate = useNavigate()
  const leave = () => void navigate(`/my-playlists/${playlist.id}`, { replace: true })
  return <SmartPlaylistDialog open playlist={playlist} onClose={leave} onSaved={leave} />
}

/** Only the owner and editors may open it. `tracks` is null for a smart playlist, which has rules instead. */
async function fetchEditable(id: string, signal: AbortSignal) {
  const playlist = await call(getPlaylist, { params: { id } }, { signal })
  if (playlist.is_smart && playlist.is_own) return { playlist, tracks: null }
  if (!mayChangeTracks(playlist))
    throw new ApiError('playlist_not_found', 404, 'Playlist not found')
  return { playlist, tracks: await fetchAllTracks(playlist, signal) }
}

/** Shows the error and opens My Playlists, as the specification requires. */
function useLeaveOnFailure(error: Error | null) {
  const navigate = useNavigate()
  useEffect(() => {
    if (!error) return
    showError(error)
    void navigate('/my-playlists', { replace: true })
  }, [error, navigate])
}

function EditPlaylistSkeleton() {
  return (
    <div className={styles.skeleton} aria-busy="true">
      <Skeleton width="min(16rem, 60%)" height="2.75rem" />
      <div className={styles.skeletonCards}>
        <Skeleton height="30rem" />
        <Skeleton height="36rem" />
      </div>
    </div>
  )
}
