// My Playlists while offline: downloaded playlists are listed first and can be opened, the others are disabled.
import { useQuery } from '@tanstack/react-query'
import { IconCircleCheckFilled, IconCloudOff } from '#web/base/ui/icons/icons.ts'
import type { Playlist } from '#contract/playlists.ts'
import {
  PlaylistCard,
  PlaylistCards,
  type PlaylistLayout,
} from '../catalogue/cards/playlist-card.tsx'
import { readOwnPlaylists } from '../../base/offline-store/read-downloads.ts'
import { useDownloads } from '../../base/offline-store/download-store.ts'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import styles from './offline-playlists.module.css'

export interface OfflinePlaylistsProps {
  q: string
  layout: PlaylistLayout
  /** The playlists on screen when the connection was lost. */
  playlists: Playlist[]
}

export function OfflinePlaylists({ q, layout, playlists }: OfflinePlaylistsProps) {
  const kept = useDownloads((state) => state.playlists)
  const { data: remembered } = useQuery({
    queryKey: ['offline', 'own-playlists'] as const,
    queryFn: async () => (await readOwnPlaylists()) ?? [],
  })
  const isFound = ({ title }: Playlist) => title.toLowerCase().includes(q.toLowerCase())
  const available = kept.filter(({ playlist }) => isFound(playlist))
  const downloadedIds = new Set(kept.map(({ id }) => id))
  const known = playlists.length > 0 ? playlists : (remembered ?? [])
  const unavailable = known.filter(
    (playlist) => !downloadedIds.has(playlist.id) && isFound(playlist),
  )
  if (available.length + unavailable.length === 0) {
    return (
      <EmptyState
        icon={<IconCloudOff />}
        title={q ? 'No playlists found' : 'No downloaded playlists'}
        message="You can open your other playlists when you are back online."
      />
    )
  }
  return (
    <PlaylistCards layout={layout} label="My Playlists">
      {available.map(({ playlist, release }) => (
        <li key={playlist.id}>
          <PlaylistCard
            {...{ playlist, layout }}
            to={release ? `/releases/${release.slug}` : `/my-playlists/${playlist.id}`}
            mark={downloaded}
          />
        </li>
      ))}
      {unavailable.map((playlist) => (
        <li key={playlist.id}>
          <PlaylistCard {...{ playlist, layout }} disabled />
        </li>
      ))}
    </PlaylistCards>
  )
}

const downloaded = (
  <span className={styles.downloaded}>
    <IconCircleCheckFilled aria-hidden="true" />
    Downloaded
  </span>
)
