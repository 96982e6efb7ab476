// One track in a list: cover with play button, title and artist, facets, duration, actions.
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '#web/base/ui/icons/icons.ts'
import { memo, type ReactNode } from 'react'
import type { Track } from '#contract/tracks.ts'
import { togglePlay } from '../player/playback/player-actions.ts'
import { useIsCurrent, useIsPlaying } from '../player/playback/player-store.ts'
import { warmUpTrack } from '../player/engine/warm-up.ts'
import { Cover } from '../../base/ui/display/cover.tsx'
import { Equaliser } from '../../base/ui/display/equaliser.tsx'
import { ArtistLinks } from './artist-links.tsx'
import { AiBadge } from './ai-badge.tsx'
import { PremiumMark } from './premium-mark.tsx'
import { formatDuration } from '../../base/format/format-duration.ts'
import styles from './track-row.module.css'

export interface TrackRowProps {
  track: Track
  index: number
  /** Whether this row's controls are in the tab order. */
  inTabOrder: boolean
  /** Its position, in numbered lists. */
  number?: number
  /** The number stands in place of the cover, as on a release, whose tracks share one. */
  withoutCover?: boolean
  /**
   * Short facts, such as genre and category. They are columns in a wide list; in a narrow one the first two are in the
   * artist's line. A third has a column only where the list is very wide.
   */
  facets: readonly (string | null)[]
  onPlay: (index: number) => void
  /** Buttons at the end, each with a `data-control` name. */
  actions?: ReactNode
}

export const TrackRow = memo(function TrackRow(props: TrackRowProps) {
  const { track, index, inTabOrder, number, withoutCover, facets, onPlay, actions } = props
  const isCurrent = useIsCurrent(track.id)
  return (
    <div
      className={styles.row}
      // Not on pointerenter: rows that scroll by under a resting pointer must not prefetch.
      onPointerMove={({ movementX, movementY }) => {
        if (movementX !== 0 || movementY !== 0) warmUpTrack(track)
      }}
      data-current={isCurrent || undefined}
      data-numbered={(number !== undefined && !withoutCover) || undefined}
      data-facets={facets.length}
    >
      {number !== undefined && !withoutCover && (
        <span className={styles.number} data-numeric>
          {number}
        </span>
      )}
      <span className={styles.cover} data-place={withoutCover || undefined}>
        {withoutCover ? (
          <span className={styles.place} data-numeric>
            {number}
          </span>
        ) : (
          <Cover
            url={track.cover_url}
            tint={track.cover_tint}
            placeholder={track.cover_placeholder}
            title={track.title}
            sizes="44px"
          />
        )}
        <PlayButton {...{ track, isCurrent, inTabOrder }} onPlay={() => onPlay(index)} />
      </span>
      <span className={styles.words}>
        <span className={styles.titleLine}>
          <span className={styles.title}>{track.title}</span>
          {track.explicit && (
            <span className={styles.explicit} role="img" aria-label="Explicit">
              E
            </span>
          )}
          <AiBadge track={track} />
        </span>
        <span className={styles.artistLine}>
          <PremiumMark of={track} />
          <span>
            <ArtistLinks track={track} inTabOrder={inTabOrder} />
          </span>
          <span className={styles.narrowFacets}>
            {[...new Set(facets.slice(0, 2))].filter(Boolean).map((facet) => (
              <span key={facet}> · {facet}</span>
            ))}
          </span>
        </span>
      </span>
      {facets.map((facet, place) => (
        <span key={place} className={styles.facet} data-third={place === 2 || undefined}>
          {facet}
        </span>
      ))}
      <time className={styles.duration} dateTime={`PT${track.duration}S`}>
        {formatDuration(track.duration)}
      </time>
      <span className={styles.actions}>{actions}</span>
    </div>
  )
})

interface PlayButtonProps {
  track: Track
  isCurrent: boolean
  inTabOrder: boolean
  onPlay: () => void
}

function PlayButton({ track, isCurrent, inTabOrder, onPlay }: PlayButtonProps) {
  const isPlaying = useIsPlaying(track.id)
  const label = `${isPlaying ? 'Pause' : 'Play'} ${track.title} by ${track.artist}`
  return (
    <button
      type="button"
      className={styles.play}
      data-control="play"
      data-current={isCurrent || undefined}
      aria-label={label}
      tabIndex={inTabOrder ? 0 : -1}
      onClick={isCurrent ? togglePlay : onPlay}
    >
      {isCurrent && (
        <span className={styles.equaliser}>
          <Equaliser playing={isPlaying} />
        </span>
      )}
      <span className={styles.playIcon} aria-hidden="true">
        {isPlaying ? <IconPlayerPauseFilled /> : <IconPlayerPlayFilled />}
      </span>
    </button>
  )
}

/** The column headings of a list whose rows have these facets. */
export function TrackRowHeader({
  facets,
  numbered,
}: {
  facets: readonly string[]
  numbered?: boolean | 'instead of covers'
}) {
  return (
    <div
      className={styles.header}
      data-numbered={numbered === true || undefined}
      data-facets={facets.length}
    >
      {numbered && (
        <span className={numbered === true ? styles.number : styles.headerPlace}>#</span>
      )}
      <span className={numbered === 'instead of covers' ? undefined : styles.headerTitle}>
        Title
      </span>
      {facets.map((facet, place) => (
        <span key={place} className={styles.facet} data-third={place === 2 || undefined}>
          {facet}
        </span>
      ))}
      <span className={styles.duration}>Duration</span>
      <span className={styles.actions} />
    </div>
  )
}
