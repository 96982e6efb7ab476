// The mute button and the volume slider, from 0 to 100.
import { IconVolume, IconVolume2, IconVolumeOff } from '#web/base/ui/icons/icons.ts'
import { IconButton } from '../../../base/ui/controls/icon-button.tsx'
import { Slider } from '../../../base/ui/controls/slider.tsx'
import { setVolume, toggleMute } from '../playback/player-actions.ts'
import { usePlayer } from '../playback/player-store.ts'
import styles from './volume-control.module.css'

export function VolumeControl() {
  const volume = usePlayer((state) => state.volume)
  const muted = usePlayer((state) => state.muted)
  const isSilent = muted || volume === 0
  return (
    <div className={styles.volume}>
      <IconButton label={muted ? 'Unmute' : 'Mute'} onClick={toggleMute}>
        {isSilent ? <IconVolumeOff /> : volume < 50 ? <IconVolume2 /> : <IconVolume />}
      </IconButton>
      <Slider
        label="Volume"
        value={muted ? 0 : volume}
        min={0}
        max={100}
        step={1}
        valueText={muted ? 'Muted' : `${volume} %`}
        onChange={setVolume}
      />
    </div>
  )
}
