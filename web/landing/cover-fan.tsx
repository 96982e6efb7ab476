// Six covers fanned like records in the hand. The one in front plays when it is pressed; another one
// comes to the front.
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import type { ShowcaseTrack } from '#contract/tracks.ts'
import { Cover } from '../ui/cover.tsx'
import { Spinner } from '../ui/spinner.tsx'
import styles from './cover-fan.module.css'
import type { PreviewAudio } from './use-preview-audio.ts'

export interface CoverFanProps {
  tracks: ShowcaseTrack[]
  preview: PreviewAudio
}

const coverSizes = '(max-width: 47.99rem) 62vw, 22rem'

export function CoverFan({ tracks, preview }: CoverFanProps) {
  return (
    <ul className={styles.fan} aria-label="Listen to previews">
      {tracks.map((track, index) => {
        const place = placeInFan(index, preview.index, tracks.length)
        return (
          <li
            key={track.id}
            className={styles.place}
            style={
              {
                '--place': place,
                '--distance': Math.abs(place),
                zIndex: tracks.length - Math.abs(place),
              } as CSSProperties
            }
            data-front={place === 0 || undefined}
            data-behind={Math.abs(place) > 2 || undefined}
          >
            <FanCover track={track} index={index} preview={preview} />
          </li>
        )
      })}
      {tracks.length === 0 && <EmptyPlaces />}
    </ul>
  )
}

/** The shape of the fan while there is nothing in it yet. */
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
  preview: PreviewAudio
}

function FanCover({ track, index, preview }: FanCoverProps) {
  const isFront = index === preview.index
  const isSounding = isFront && (preview.playing || preview.waiting)
  const Icon = isSounding ? IconPlayerPauseFilled : IconPlayerPlayFilled
  return (
    <button
      type="button"
      className={styles.cover}
      aria-label={`${isSounding ? 'Pause' : 'Play'} ${track.title} by ${track.artist}`}
      onClick={() => preview.toggle(index)}
    >
      <Cover
        url={track.cover_url}
        tint={track.cover_tint}
        placeholder={track.cover_placeholder}
        title={track.title}
        sizes={coverSizes}
        radius="large"
        eager={index === 0}
      />
      <span className={styles.play} aria-hidden="true">
        {isFront && preview.waiting ? <Spinner /> : <Icon />}
      </span>
    </button>
  )
}

/** Steps from the front, the short way round: -2, -1, 0, 1, 2, 3 for six covers. */
function placeInFan(index: number, front: number, count: number): number {
  const steps = (index - front + count) % count
  return steps > count / 2 ? steps - count : steps
}
