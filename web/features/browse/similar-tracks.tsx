// "More like this": tracks similar to a track or a release, each with the reason.
import { useQuery } from '@tanstack/react-query'
import type { SimilarTrack } from '#contract/radio.ts'
import type { RadioSeed } from '#contract/play-context.ts'
import { playTracks, togglePlay } from '../player/playback/player-actions.ts'
import { useIsCurrent, useIsPlaying } from '../player/playback/player-store.ts'
import {
  similarTracksOptions,
  similarToReleaseOptions,
} from '../catalogue/queries/radio-queries.ts'
import { RadioButton } from '../catalogue/radio-button.tsx'
import { TrackMenuButton } from '../catalogue/track-menu-button.tsx'
import { Cover } from '../../base/ui/display/cover.tsx'
import { VisuallyHidden } from '../../base/ui/layout/visually-hidden.tsx'
import styles from './similar-tracks.module.css'

const title = 'More like this'

export function SimilarTracks({ id }: { id: string }) {
  const { data } = useQuery(similarTracksOptions(id))
  return <SimilarSection similar={data} seed={{ kind: 'track', id }} />
}

export function SimilarToRelease({ id }: { id: string }) {
  const { data } = useQuery(similarToReleaseOptions(id))
  return <SimilarSection similar={data} seed={{ kind: 'release', id }} />
}

interface SimilarSectionProps {
  similar: readonly SimilarTrack[] | undefined
  seed: RadioSeed
}

/** Renders nothing if there are no similar tracks. */
function SimilarSection({ similar = [], seed }: SimilarSectionProps) {
  if (similar.length === 0) return null
  const tracks = similar.map(({ track }) => track)
  return (
    <section className={styles.section} aria-labelledby="similar-tracks">
      <div className={styles.head}>
        <h2 id="similar-tracks" className={styles.heading}>
          {title}
        </h2>
        <RadioButton seed={seed} disabled={false} />
      </div>
      <ul className={styles.list}>
        {similar.map((item, startIndex) => (
          <li key={item.track.id} className={styles.item}>
            <SimilarTrackButton
              item={item}
              onPlay={() => playTracks(tracks, { startIndex, source: title })}
            />
            <TrackMenuButton track={item.track} inTabOrder />
          </li>
        ))}
      </ul>
    </section>
  )
}

function SimilarTrackButton({ item, onPlay }: { item: SimilarTrack; onPlay: () => void }) {
  const { track, reason } = item
  const isCurrent = useIsCurrent(track.id)
  const isPlaying = useIsPlaying(track.id)
  return (
    <button
      type="button"
      className={styles.track}
      data-current={isCurrent || undefined}
      onClick={isCurrent ? togglePlay : onPlay}
    >
      <VisuallyHidden>{isPlaying ? 'Pause ' : 'Play '}</VisuallyHidden>
      <span className={styles.cover}>
        <Cover
          url={track.cover_url}
          tint={track.cover_tint}
          placeholder={track.cover_placeholder}
          title={track.title}
          sizes="44px"
        />
      </span>
      <span className={styles.words}>
        <span className={styles.title}>{track.title}</span>
        <VisuallyHidden> by </VisuallyHidden>
        <span className={styles.about}>{track.artist}</span>
        <span className={styles.about}>{reason}</span>
      </span>
    </button>
  )
}
