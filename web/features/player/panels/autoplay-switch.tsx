// The autoplay switch: similar music plays after the queue ends. Stored on this device.
import { Switch } from '../../../base/ui/controls/switch.tsx'
import { changeSettings } from '../playback/player-actions.ts'
import { usePlayer } from '../playback/player-store.ts'
import { getRadioAhead } from '../playback/radio-ahead.ts'

export function AutoplaySwitch() {
  const autoplay = usePlayer((state) => state.settings.autoplay)
  const next = usePlayer((state) => getRadioAhead(state)?.station.title)
  return (
    <Switch
      label="Autoplay similar music"
      hint={next ? `Continues with ${next}` : 'When the queue ends, similar music plays.'}
      checked={autoplay}
      onChange={(event) => changeSettings({ autoplay: event.target.checked })}
    />
  )
}
