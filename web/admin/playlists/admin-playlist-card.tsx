// One curated playlist in the grid.
import { IconEye, IconEyeOff, IconPencil, IconTrash } from '#web/base/ui/icons/icons.ts'
import type { AdminPlaylist } from '#contract/admin/admin-playlists.ts'
import { ButtonLink, ScreenLink } from '../../base/navigation/screen-link.tsx'
import { formatCount } from '../../base/format/format-duration.ts'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { Cover } from '../../base/ui/display/cover.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { AvailabilityBadge } from '../availability/availability-badge.tsx'
import styles from '../shared/lists/card-grid.module.css'
import { useShowPlaylist } from './admin-playlist-queries.ts'

export interface AdminPlaylistCardProps {
  playlist: AdminPlaylist
  onDelete: () => void
}

export function AdminPlaylistCard({ playlist, onDelete }: AdminPlaylistCardProps) {
  const showing = useShowPlaylist()
  const { id, title, is_visible, track_count } = playlist
  const address = `/admin/playlists/${id}`
  return (
    <article className={styles.card} data-hidden={!is_visible || undefined}>
      <span className={styles.cover}>
        <Cover
          url={playlist.cover_url}
          tint={playlist.cover_tint}
          placeholder={playlist.cover_placeholder}
          title={title}
          sizes="96px"
        />
      </span>
      <div className={styles.words}>
        <h2 className={styles.title}>
          <ScreenLink to={address}>{title}</ScreenLink>
        </h2>
        {playlist.description && <p className={styles.description}>{playlist.description}</p>}
        <p className={styles.facts}>
          <span>{formatCount(track_count, 'track', 'tracks')}</span>
          <Badge tone={is_visible ? 'success' : 'neutral'}>
            {is_visible ? 'Visible to members' : 'Hidden from members'}
          </Badge>
          <AvailabilityBadge item={playlist} />
        </p>
      </div>
      <div className={styles.actions}>
        <Button
          size="small"
          variant="quiet"
          icon={is_visible ? <IconEyeOff /> : <IconEye />}
          busy={showing.isPending}
          onClick={() => showing.mutate(playlist)}
        >
          {is_visible ? 'Hide' : 'Show'}
        </Button>
        <ButtonLink size="small" variant="quiet" icon={<IconPencil />} to={address}>
          Edit
        </ButtonLink>
        <IconButton size="small" variant="danger" label={`Delete ${title}`} onClick={onDelete}>
          <IconTrash />
        </IconButton>
      </div>
    </article>
  )
}
