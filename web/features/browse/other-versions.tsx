// Other versions of an opened track, each with a link to its page.
import { useQuery } from '@tanstack/react-query'
import type { TrackDetail } from '#contract/tracks.ts'
import { formatDuration } from '../../base/format/format-duration.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { Cover } from '../../base/ui/display/cover.tsx'
import { trackDetailOptions } from '../player/playback/track-detail.ts'
import styles from './similar-tracks.module.css'

/** Renders nothing if the track has no other versions. */
export function OtherVersions({ id }: { id: string }) {
  const { data } = useQuery(trackDetailOptions(id))
  // `versions` is absent in responses of the previous release.
  const versions: TrackDetail['versions'] | undefined = data?.versions
  if (!versions || versions.length === 0) return null
  return (
    <section className={styles.section} aria-labelledby="other-versions">
      <div className={styles.head}>
        <h2 id="other-versions" className={styles.heading}>
          Other versions
        </h2>
      </div>
      <ul className={styles.list}>
        {versions.map((version) => (
          <li key={version.id} className={styles.item}>
            <ScreenLink to={`/browse?track=${version.id}`} className={styles.track}>
              <span className={styles.cover}>
                <Cover
                  url={version.cover_url}
                  tint={version.cover_tint}
                  placeholder={version.cover_placeholder}
                  title={version.title}
                  sizes="56px"
                />
              </span>
              <span className={styles.words}>
                <span className={styles.title}>{version.title}</span>
                <span className={styles.about}>
                  {version.artist} · {formatDuration(version.duration)}
                </span>
              </span>
            </ScreenLink>
          </li>
        ))}
      </ul>
    </section>
  )
}
