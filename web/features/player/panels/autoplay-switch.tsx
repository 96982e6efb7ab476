// Whether similar music follows when the queue ends. Remembered on this device.
import { Switch } from '../../../base/ui/controls/switch.tsx'
import { changeSettings } from '../playback/player-actions.ts'
import { usePlayer } from '../playback/player-store.ts'

export function AutoplaySwitch() {
  const autoplay = usePlayer((state) => state.settings.autoplay)
  return (
    <Switch
      label="Play on with radio"
      hint="When the queue ends, similar music follows."
      checked={autoplay}
      onChange={(event) => changeSettings({ autoplay: event.target.checked })}
    />
  )
}
