// Lists the releases that contain a track, in the form of the track.
import type { AdminTrack } from '#contract/admin/admin-tracks.ts'
import { releaseKindLabels } from '#contract/fields/release-fields.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import styles from './track-releases.module.css'

export function TrackReleases({ releases }: Pick<AdminTrack, 'releases'>) {
  return (
    <p className={styles.releases}>
      <span className={styles.label}>Releases</span>
      {releases.length === 0 && 'None. The track is treated as a single.'}
      {releases.map(({ id, title, kind, is_published }) => (
        <span key={id}>
          <ScreenLink to={`/admin/releases/${id}`} dir="auto">
            {title}
          </ScreenLink>{' '}
          · {releaseKindLabels[kind]}
          {!is_published && ' · Draft'}
        </span>
      ))}
    </p>
  )
}
