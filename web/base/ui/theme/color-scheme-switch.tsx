// Lets the user choose dark, light or the system's color scheme.
import { IconDeviceDesktop, IconMoon, IconSun } from '../icons/icons.ts'
import { useId } from 'react'
import {
  chooseColorScheme,
  colorSchemeChoices,
  useColorSchemeChoice,
  type ColorSchemeChoice,
} from './color-scheme.ts'
import styles from './color-scheme-switch.module.css'

const looks: Record<ColorSchemeChoice, { label: string; Icon: typeof IconSun }> = {
  system: { label: 'System', Icon: IconDeviceDesktop },
  dark: { label: 'Dark', Icon: IconMoon },
  light: { label: 'Light', Icon: IconSun },
}

export function ColorSchemeSwitch() {
  const chosen = useColorSchemeChoice()
  const name = useId()
  return (
    <fieldset className={styles.switch}>
      <legend className={styles.legend}>Colour scheme</legend>
      {colorSchemeChoices.map((choice) => {
        const { label, Icon } = looks[choice]
        return (
          <label key={choice} className={styles.choice} data-tooltip={label}>
            <input
              type="radio"
              name={name}
              value={choice}
              aria-label={label}
              checked={choice === chosen}
              onChange={() => chooseColorScheme(choice)}
            />
            <Icon aria-hidden="true" />
          </label>
        )
      })}
    </fieldset>
  )
}
