// Play All and Shuffle. Play All repeats the whole list, as specified.
import { IconArrowsShuffle, IconPlayerPlayFilled } from '#web/base/ui/icons/icons.ts'
import type { RadioSeed } from '#contract/play-context.ts'
import type { PlayTracksOptions } from '../player/playback/player-actions.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import styles from './play-buttons.module.css'
import { RadioButton } from './radio-button.tsx'

export interface PlayButtonsProps {
  disabled: boolean
  /** True while the list is loading for the player. */
  busy: boolean
  onStart: (options: PlayTracksOptions) => void
  /** Seed of a radio station. If absent, the radio button is not rendered. */
  radioSeed?: RadioSeed | undefined
}

export function PlayButtons({ disabled, busy, onStart, radioSeed }: PlayButtonsProps) {
  return (
    <div className={styles.buttons}>
      <Button
        variant="primary"
        icon={<IconPlayerPlayFilled />}
        disabled={disabled}
        onClick={() => onStart({ shuffle: false, repeat: 'all' })}
      >
        Play All
      </Button>
      <Button
        icon={<IconArrowsShuffle />}
        disabled={disabled}
        busy={busy}
        onClick={() => onStart({ shuffle: true, repeat: 'all' })}
      >
        Shuffle
      </Button>
      {radioSeed && <RadioButton seed={radioSeed} disabled={disabled} />}
    </div>
  )
}
