// Renders six covers in a fan, in their initial state. Pressing the front cover plays it. Pressing another one moves it
// to the front.
import type { CSSProperties } from 'react'
import type { ShowcaseTrack } from '#contract/showcase-tracks.ts'
import { Cover } from '../../base/ui/display/cover.tsx'
import { breakpoints } from '../../base/ui/theme/breakpoints.ts'
import styles from './cover-fan.module.css'
import { placeInFan } from './place-in-fan.ts'
import { initialPreview } from './preview-player.ts'
import { SoundSign } from './sound-sign.tsx'

/** Slightly less than the rendered size: the next larger image looks the same but is three times as large. */
const coverSizes = `${breakpoints['--below-tablet']} 50vw, ${breakpoints['--below-desktop']} 26vw, 22rem`

export function CoverFan({ tracks }: { tracks: ShowcaseTrack[] }) {
  return (
    <ul className={styles.fan} aria-label="Listen to previews">
      {tracks.map((track, index) => (
        <FanCover key={track.id} track={track} index={index} count={tracks.length} />
      ))}
      {tracks.length === 0 && <EmptyPlaces />}
    </ul>
  )
}

/** Placeholders for the covers until the tracks are loaded. */
function EmptyPlaces() {
  return [-2, 2, -1, 1, 0].map((place) => (
    <li
      key={place}
      className={styles.place}
      style={{ '--place': place, '--distance': Math.abs(place) } as CSSProperties}
      data-empty
    />
  ))
}

interface FanCoverProps {
  track: ShowcaseTrack
  index: number
  count: number
}

function FanCover({ track, index, count }: FanCoverProps) {
  const { place, distance, zIndex, isFront, isBehind } = placeInFan(
    index,
    initialPreview.index,
    count,
  )
  return (
    <li
      className={styles.place}
      style={{ '--place': place, '--distance': distance, zIndex } as CSSProperties}
      data-fan-place
      data-front={isFront ? '' : undefined}
      data-behind={isBehind ? '' : undefined}
    >
      <button
        type="button"
        className={styles.cover}
        aria-label={`Play ${track.title} by ${track.artist}`}
        data-cover={index}
        data-sound="paused"
      >
        <Cover
          url={track.cover_url}
          tint={track.cover_tint}
          placeholder={track.cover_placeholder}
          title={track.title}
          sizes={coverSizes}
          radius="large"
          eager={isFront}
        />
        <SoundSign className={styles.play} />
      </button>
    </li>
  )
}
