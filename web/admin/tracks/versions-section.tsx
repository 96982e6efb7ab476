// Section of the track form that links other versions of the track, and suggests some. Each change is saved
// immediately, not when the form is saved.
import { useQuery } from '@tanstack/react-query'
import { IconX } from '#web/base/ui/icons/icons.ts'
import {
  getTrackVersions,
  linkTrackVersions,
  unlinkTrackVersion,
  type VersionTrack,
} from '#contract/admin/track-versions.ts'
import { call } from '../../base/api/api.ts'
import { formatDuration } from '../../base/format/format-duration.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { VersionProposals } from '../uploads/version-proposals.tsx'
import styles from './versions-section.module.css'

/** Renders nothing if there are no linked or suggested versions. */
export function VersionsSection({ trackId }: { trackId: string }) {
  const { data } = useQuery({
    queryKey: ['admin', 'tracks', 'versions', trackId],
    queryFn: ({ signal }) => call(getTrackVersions, { params: { id: trackId } }, { signal }),
  })
  if (!data || data.data.length + data.proposals.length === 0) return null
  return (
    <section className={styles.section} aria-labelledby="track-versions">
      <h3 id="track-versions" className={styles.heading}>
        Other versions
      </h3>
      {data.data.length > 0 && <Linked trackId={trackId} versions={data.data} />}
      {data.proposals.length > 0 && <VersionProposals proposals={data.proposals} />}
    </section>
  )
}

function Linked({ trackId, versions }: { trackId: string; versions: readonly VersionTrack[] }) {
  const unlinking = useAdminMutation({
    run: (id: string) => call(unlinkTrackVersion, { params: { id } }),
    refresh: ['tracks'],
    done: 'Version unlinked',
    undo: (id) => ({
      restore: () => call(linkTrackVersions, { body: { track_ids: [trackId, id] } }),
      done: 'Linked again',
      failed: 'Failed to link the version again',
    }),
    failed: 'Failed to unlink the version',
  })
  return (
    <ul aria-label="Linked versions">
      {versions.map(({ id, title, artist, duration, is_published }) => (
        <li key={id} className={styles.row}>
          <span className={styles.words}>
            <ScreenLink to={`/admin/library?edit=${id}`} dir="auto">
              {title}
            </ScreenLink>{' '}
            <span className={styles.note}>
              {artist} · {formatDuration(duration)}
              {!is_published && ' · Draft'}
            </span>
          </span>
          <IconButton
            size="small"
            label={`Unlink ${title}`}
            disabled={unlinking.isPending}
            onClick={() => unlinking.mutate(id)}
          >
            <IconX />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}
