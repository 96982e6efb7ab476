// A button with only an icon. Its label is mandatory: it is the accessible name and the tooltip.
import type { ComponentProps, ReactNode } from 'react'
import styles from './icon-button.module.css'
import { Spinner } from './spinner.tsx'

export interface IconButtonProps extends Omit<
  ComponentProps<'button'>,
  'className' | 'children' | 'aria-label'
> {
  /** The name of the action. Used as the accessible name and the tooltip. */
  label: string
  children: ReactNode
  variant?: 'quiet' | 'raised' | 'primary' | 'danger'
  /** Visible size. The touch target is never below 44 px. */
  size?: 'small' | 'medium' | 'large'
  /** For toggles: true is shown as highlighted and announced as pressed. */
  pressed?: boolean
  busy?: boolean
  /** Disables the tooltip. For buttons whose label is visible beside them. */
  tooltip?: false
}

export function IconButton({
  label,
  children,
  variant = 'quiet',
  size = 'medium',
  pressed,
  busy = false,
  tooltip,
  type = 'button',
  onClick,
  ...rest
}: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={iconButtonClass(variant, size)}
      aria-label={label}
      aria-pressed={pressed}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      data-tooltip={tooltip === false ? undefined : label}
      onClick={busy ? undefined : onClick}
    >
      {busy ? <Spinner /> : children}
    </button>
  )
}

/** Returns the classes for a link that looks like an icon button. */
export function iconButtonClass(
  variant: NonNullable<IconButtonProps['variant']> = 'quiet',
  size: NonNullable<IconButtonProps['size']> = 'medium',
): string {
  // The default size has no class.
  return [styles.iconButton, styles[variant], styles[size]].filter(Boolean).join(' ')
}
