// A track that was opened by a shared link, shown above all other content.
import { useQuery } from '@tanstack/react-query'
import { IconPlayerPauseFilled, IconPlayerPlayFilled, IconX } from '#web/base/ui/icons/icons.ts'
import { useSearchParams } from 'react-router'
import { ApiError } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { playTracks, togglePlay } from '../player/playback/player-actions.ts'
import { trackDetailOptions } from '../player/playback/track-detail.ts'
import { useIsCurrent, useIsPlaying } from '../player/playback/player-store.ts'
import { ArtistLinks } from '../catalogue/artist-links.tsx'
import { AiBadge } from '../catalogue/ai-badge.tsx'
import { PremiumMark } from '../catalogue/premium-mark.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { Cover } from '../../base/ui/display/cover.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import styles from './shared-track.module.css'

export function SharedTrack({ id }: { id: string }) {
  const [, setAddress] = useSearchParams()
  const { data: track, error } = useQuery(trackDetailOptions(id))
  const isCurrent = useIsCurrent(id)
  const isPlaying = useIsPlaying(id)
  const close = () =>
    setAddress(
      (address) => {
        address.delete('track')
        return address
      },
      { replace: true, preventScrollReset: true },
    )
  if (!track && !error) return <SharedTrackSkeleton />
  return (
    <section className={styles.card} aria-label="Shared track">
      {track ? (
        <>
          <span className={styles.cover}>
            <Cover
              url={track.cover_url}
              tint={track.cover_tint}
              placeholder={track.cover_placeholder}
              title={track.title}
              sizes="72px"
              eager
            />
          </span>
          <div className={styles.words}>
            <h2 className={styles.title}>{track.title}</h2>
            <div className={styles.facts}>
              <p className={styles.artist}>
                <ArtistLinks track={track} /> <AiBadge track={track} variant="words" />{' '}
                <PremiumMark of={track} />
              </p>
              <Moods moods={track.moods} />
            </div>
          </div>
          <Button
            variant="primary"
            icon={isPlaying ? <IconPlayerPauseFilled /> : <IconPlayerPlayFilled />}
            onClick={() =>
              isCurrent ? togglePlay() : playTracks([track], { source: track.title })
            }
          >
            {isPlaying ? 'Pause' : 'Play'}
          </Button>
        </>
      ) : (
        <p className={styles.words}>
          {error instanceof ApiError && error.status === 404
            ? 'This track is no longer available.'
            : errorText(error)}
        </p>
      )}
      <IconButton label="Close" onClick={close}>
        <IconX />
      </IconButton>
    </section>
  )
}

/** Shows the moods, each with a link to its tracks. `moods` is absent in responses of the previous release. */
function Moods({ moods = [] }: { moods: readonly string[] | undefined }) {
  if (moods.length === 0) return null
  return (
    <ul className={styles.moods} aria-label="Moods">
      {moods.map((mood) => (
        <li key={mood}>
          <ScreenLink to={`/browse?${new URLSearchParams({ mood })}`} className={styles.mood}>
            {mood}
          </ScreenLink>
        </li>
      ))}
    </ul>
  )
}

function SharedTrackSkeleton() {
  return (
    <div className={styles.card} aria-busy="true">
      <span className={styles.cover}>
        <Skeleton shape="cover" />
      </span>
      <div className={styles.words}>
        <Skeleton shape="text" width="50%" />
        <Skeleton shape="text" width="30%" />
      </div>
    </div>
  )
}
