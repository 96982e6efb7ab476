// The head of a release.
import {
  IconArrowsShuffle,
  IconHeart,
  IconHeartFilled,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconShare3,
} from '#web/base/ui/icons/icons.ts'
import { Fragment } from 'react'
import { releaseKindLabels } from '#contract/fields/release-fields.ts'
import type { ReleaseDetail } from '#contract/releases.ts'
import { formatCount, formatTotal } from '../../base/format/format-duration.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { Cover } from '../../base/ui/display/cover.tsx'
import { CollectionHead, headCoverSizes } from '../catalogue/cards/collection-head.tsx'
import { useLikeRelease } from '../catalogue/queries/release-queries.ts'
import { releaseYear } from '../catalogue/cards/release-card.tsx'
import { RadioButton } from '../catalogue/radio-button.tsx'
import { shareLink } from '../catalogue/sharing/share-track.ts'
import { DownloadButton } from '../offline/download-button.tsx'
import { releaseToPlaylist } from '../offline/downloaded-release.ts'
import { togglePlay, type PlayTracksOptions } from '../player/playback/player-actions.ts'
import { selectTrack, usePlayer } from '../player/playback/player-store.ts'
import styles from './release-head.module.css'

export interface ReleaseHeadProps {
  release: ReleaseDetail
  onStart: (options: PlayTracksOptions) => void
}

export function ReleaseHead({ release, onStart }: ReleaseHeadProps) {
  const { kind, title, cover_tint, release_date, track_count, duration } = release
  return (
    <CollectionHead
      title={title}
      kind={releaseKindLabels[kind]}
      tint={cover_tint}
      cover={
        <Cover
          url={release.cover_url}
          tint={cover_tint}
          placeholder={release.cover_placeholder}
          title={title}
          sizes={headCoverSizes}
          radius="large"
          eager
        />
      }
      facts={
        <>
          <Artists release={release} />
          {release_date && <span>{releaseYear(release_date)}</span>}
          <span>{formatCount(track_count, 'track', 'tracks')}</span>
          <span>{formatTotal(duration)}</span>
        </>
      }
      restricted={release}
    >
      <PlayRelease {...{ release, onStart }} />
      <Button
        icon={<IconArrowsShuffle />}
        onClick={() => onStart({ shuffle: true, repeat: 'off' })}
      >
        Shuffle
      </Button>
      <RadioButton seed={{ kind: 'release', id: release.id }} disabled={track_count === 0} />
      <div className={styles.more}>
        <LikeButton release={release} />
        <DownloadButton playlist={releaseToPlaylist(release)} isRelease />
        <IconButton
          label={`Share ${title}`}
          variant="quiet"
          onClick={() =>
            void shareLink(
              { title, artist: release.artist },
              release.share_url ?? `/releases/${release.slug}`,
            )
          }
        >
          <IconShare3 />
        </IconButton>
      </div>
    </CollectionHead>
  )
}

/** Shows the artist line: each name is a link, with the joiners between them. */
function Artists({ release: { artist, artists } }: { release: ReleaseDetail }) {
  if (artists.length === 0) return artist ? <span className={styles.artists}>{artist}</span> : null
  return (
    <span className={styles.artists}>
      {artists.map(({ id, name, slug, joiner }, at) => (
        <Fragment key={id}>
          <ScreenLink to={`/artists/${slug}`}>{name}</ScreenLink>
          {at < artists.length - 1 && (joiner || ', ')}
        </Fragment>
      ))}
    </span>
  )
}

/** The play button. It pauses if a track of this release is playing and the release is the source of the queue. */
function PlayRelease({ release, onStart }: ReleaseHeadProps) {
  const isCurrent = usePlayer((state) => {
    const current = selectTrack(state)?.id
    return state.source === release.title && release.tracks.some((track) => track.id === current)
  })
  const isPlaying = usePlayer((state) => state.playing) && isCurrent
  return (
    <Button
      variant="primary"
      icon={isPlaying ? <IconPlayerPauseFilled /> : <IconPlayerPlayFilled />}
      onClick={isCurrent ? togglePlay : () => onStart({ shuffle: false, repeat: 'off' })}
    >
      {isPlaying ? 'Pause' : 'Play'}
    </Button>
  )
}

function LikeButton({ release: { id, title, is_liked } }: { release: ReleaseDetail }) {
  const like = useLikeRelease()
  return (
    <IconButton
      label={`Like ${title}`}
      variant="quiet"
      pressed={is_liked}
      onClick={() => like.mutate({ id, liked: !is_liked })}
    >
      {is_liked ? <IconHeartFilled /> : <IconHeart />}
    </IconButton>
  )
}
