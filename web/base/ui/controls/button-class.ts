// The classes of a button, shared by buttons and links that look like one.
import styles from './button.module.css'

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'
export type ButtonSize = 'small' | 'medium' | 'large'

export interface ButtonLook {
  /** `primary` is the one main action of a view. The default is `secondary`. */
  variant?: ButtonVariant
  size?: ButtonSize
  wide?: boolean
}

export function buttonClass({ variant = 'secondary', size = 'medium', wide }: ButtonLook): string {
  return [styles.button, styles[variant], styles[size], wide && styles.wide]
    .filter(Boolean)
    .join(' ')
}

/** Class of the icon before a label: as tall as a line of text. */
export const buttonIconClass = styles.icon
