import type { RadioSeed } from '#contract/play-context.ts'
import { IconRadio } from '#web/base/ui/icons/icons.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { playRadio } from './play-radio.ts'

export function RadioButton({ seed, disabled }: { seed: RadioSeed; disabled: boolean }) {
  return (
    <Button
      variant="quiet"
      icon={<IconRadio />}
      disabled={disabled}
      onClick={() => void playRadio(seed)}
    >
      Start radio
    </Button>
  )
}
