// The controls of the stage: play, what plays, how it was made, and the waveform.
import {
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerSkipBackFilled,
  IconPlayerSkipForwardFilled,
} from '@tabler/icons-react'
import { aiDisclosureLabels } from '#contract/tracks.ts'
import { useSite } from '../app/site.ts'
import { Badge } from '../ui/badge.tsx'
import { formatClock } from '../ui/format-clock.ts'
import { IconButton } from '../ui/icon-button.tsx'
import styles from './preview-deck.module.css'
import { PreviewWaveform } from './preview-waveform.tsx'
import type { PreviewAudio } from './use-preview-audio.ts'

export interface PreviewDeckProps {
  preview: PreviewAudio
  /** There is nothing to play yet. */
  isEmpty: boolean
  isFailed: boolean
}

export function PreviewDeck({ preview, isEmpty, isFailed }: PreviewDeckProps) {
  const { track, index, playing, waiting, elapsedSeconds } = preview
  const isSounding = playing || waiting
  return (
    <div className={styles.deck}>
      <div className={styles.controls}>
        <IconButton
          label="Previous preview"
          disabled={!track}
          onClick={() => preview.pick(index - 1)}
        >
          <IconPlayerSkipBackFilled />
        </IconButton>
        <IconButton
          label={isSounding ? 'Pause preview' : 'Play preview'}
          variant="primary"
          size="large"
          busy={waiting}
          disabled={!track}
          onClick={() => preview.toggle(index)}
        >
          {isSounding ? <IconPlayerPauseFilled /> : <IconPlayerPlayFilled />}
        </IconButton>
        <IconButton label="Next preview" disabled={!track} onClick={() => preview.pick(index + 1)}>
          <IconPlayerSkipForwardFilled />
        </IconButton>
      </div>
      <div className={styles.words} aria-live="polite">
        {track ? (
          <>
            <p className={styles.title}>{track.title}</p>
            <p className={styles.artist}>
              {track.artist}
              <Badge>{aiDisclosureLabels[track.ai_disclosure]}</Badge>
            </p>
          </>
        ) : (
          (isEmpty || isFailed) && <WaitingWords isFailed={isFailed} />
        )}
      </div>
      <p className={styles.clock} aria-hidden="true" data-numeric>
        {formatClock(elapsedSeconds)} / {formatClock(track?.preview_seconds ?? 0)}
      </p>
      <div className={styles.waveform}>
        <PreviewWaveform preview={preview} />
      </div>
    </div>
  )
}

function WaitingWords({ isFailed }: { isFailed: boolean }) {
  const { demo } = useSite()
  if (isFailed) return <p className={styles.artist}>Previews are resting right now.</p>
  const isComposing = demo && demo.tracks_ready < demo.tracks_total
  return (
    <p className={styles.artist}>
      {isComposing
        ? `The demo catalogue is being composed: ${demo.tracks_ready} of ${demo.tracks_total} tracks are ready.`
        : 'The first tracks will be here soon.'}
    </p>
  )
}
