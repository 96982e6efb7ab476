// The controls of the hero: play, the current track, how it was made, and the waveform. Rendered in their initial
// state. If scripts are disabled, the browser's native players replace them.
import { IconPlayerSkipBackFilled, IconPlayerSkipForwardFilled } from '#web/base/ui/icons/icons.ts'
import { aiDisclosureLabels } from '#contract/fields/ai-disclosure.ts'
import type { ShowcaseTrack } from '#contract/showcase-tracks.ts'
import { useSite } from '../../base/session/site.ts'
import { Badge } from '../../base/ui/display/badge.tsx'
import { formatClock } from '../../base/format/format-clock.ts'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { PlainPreviews } from './plain-previews.tsx'
import styles from './preview-deck.module.css'
import { ShowcaseMark } from './showcase-mark.tsx'
import { initialPreview, type StagePlayer } from './preview-player.ts'
import { PreviewWaveform } from './preview-waveform.tsx'
import { SoundSign } from './sound-sign.tsx'

export interface PreviewDeckProps {
  tracks: ShowcaseTrack[]
  /** True if there are no tracks yet. */
  isEmpty: boolean
  isFailed: boolean
  /** Used in button labels, such as 'Play preview'. */
  noun: StagePlayer['noun']
}

export function PreviewDeck({ tracks, isEmpty, isFailed, noun }: PreviewDeckProps) {
  const front = tracks[initialPreview.index]
  const disabled = front === undefined
  const lengthSeconds = front?.preview_seconds ?? 0
  return (
    <>
      <div className={styles.deck}>
        <div className={styles.controls}>
          <IconButton label={`Previous ${noun}`} disabled={disabled} data-deck="previous">
            <IconPlayerSkipBackFilled />
          </IconButton>
          <IconButton
            label={`Play ${noun}`}
            variant="primary"
            size="large"
            disabled={disabled}
            data-deck="toggle"
            data-sound="paused"
          >
            <SoundSign />
          </IconButton>
          <IconButton label={`Next ${noun}`} disabled={disabled} data-deck="next">
            <IconPlayerSkipForwardFilled />
          </IconButton>
        </div>
        <div className={styles.words} aria-live="polite">
          {tracks.map((track, index) => (
            <div key={track.id} data-words hidden={index !== initialPreview.index}>
              <p className={styles.title}>{track.title}</p>
              <p className={styles.artist}>
                {track.artist}
                <Badge>{aiDisclosureLabels[track.ai_disclosure]}</Badge>
                <ShowcaseMark track={track} />
              </p>
            </div>
          ))}
          <p className={styles.failure} data-failure hidden>
            This preview could not be played. Please check your connection and try again.
          </p>
          {(isEmpty || isFailed) && <WaitingText isFailed={isFailed} />}
        </div>
        <p
          className={styles.clock}
          aria-hidden="true"
          data-numeric
          data-clock
          // Playback may have changed the text before hydration.
          suppressHydrationWarning
        >
          {`${formatClock(0)} / ${formatClock(lengthSeconds)}`}
        </p>
        <div className={styles.waveform}>
          <PreviewWaveform {...{ lengthSeconds, noun, disabled }} />
        </div>
      </div>
      <PlainPreviews tracks={tracks} />
    </>
  )
}

function WaitingText({ isFailed }: { isFailed: boolean }) {
  const { demo } = useSite()
  if (isFailed) return <p className={styles.artist}>Previews are not available right now.</p>
  const isComposing = demo && demo.tracks_ready < demo.tracks_total
  return (
    <p className={styles.artist}>
      {isComposing
        ? `The demo catalogue is being composed: ${demo.tracks_ready} of ${demo.tracks_total} tracks are ready.`
        : 'The first tracks will be here soon.'}
    </p>
  )
}
