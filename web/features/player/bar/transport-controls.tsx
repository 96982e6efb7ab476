// Shuffle, previous, play or pause, next, repeat.
import {
  IconArrowsShuffle,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerSkipBackFilled,
  IconPlayerSkipForwardFilled,
  IconRepeat,
} from '#web/base/ui/icons/icons.ts'
import { IconButton } from '../../../base/ui/controls/icon-button.tsx'
import { isShuffled, type RepeatMode } from '../queue/play-queue.ts'
import {
  cycleRepeat,
  skipNext,
  skipPrevious,
  togglePlay,
  toggleShuffle,
} from '../playback/player-actions.ts'
import { isSpotLocked, usePlayer } from '../playback/player-store.ts'
import styles from './transport-controls.module.css'
import { useIsWaiting } from '../playback/use-is-waiting.ts'

export function TransportControls({ size = 'medium' }: { size?: 'medium' | 'large' }) {
  return (
    <div className={styles.controls} data-size={size} role="group" aria-label="Playback">
      <ShuffleButton />
      <PreviousButton />
      <PlayButton size={size} />
      <NextButton />
      <RepeatButton />
    </div>
  )
}

export function PlayButton({ size = 'medium' }: { size?: 'medium' | 'large' }) {
  const playing = usePlayer((state) => state.playing)
  const isWaiting = useIsWaiting()
  return (
    <button
      type="button"
      className={styles.play}
      data-size={size}
      data-waiting={isWaiting || undefined}
      aria-label={playing ? 'Pause' : 'Play'}
      data-tooltip={playing ? 'Pause' : 'Play'}
      onClick={togglePlay}
    >
      {playing ? <IconPlayerPauseFilled /> : <IconPlayerPlayFilled />}
    </button>
  )
}

function PreviousButton() {
  const isLocked = usePlayer(isSpotLocked)
  return (
    <IconButton label="Previous" aria-disabled={isLocked || undefined} onClick={skipPrevious}>
      <IconPlayerSkipBackFilled />
    </IconButton>
  )
}

export function NextButton() {
  const isLocked = usePlayer(isSpotLocked)
  return (
    <IconButton label="Next" aria-disabled={isLocked || undefined} onClick={skipNext}>
      <IconPlayerSkipForwardFilled />
    </IconButton>
  )
}

function ShuffleButton() {
  const shuffled = usePlayer((state) => isShuffled(state.queue))
  return (
    <span className={styles.mode} data-on={shuffled || undefined}>
      <IconButton label="Shuffle" pressed={shuffled} onClick={() => toggleShuffle()}>
        <IconArrowsShuffle />
      </IconButton>
    </span>
  )
}

const repeatLabels: Record<RepeatMode, string> = {
  off: 'Repeat',
  all: 'Repeat: all',
  one: 'Repeat: one',
}

function RepeatButton() {
  const repeat = usePlayer((state) => state.queue.repeat)
  return (
    <span className={styles.mode} data-on={repeat !== 'off' || undefined}>
      <IconButton label={repeatLabels[repeat]} pressed={repeat !== 'off'} onClick={cycleRepeat}>
        <IconRepeat />
        {repeat === 'one' && <span className={styles.one}>1</span>}
      </IconButton>
    </span>
  )
}
