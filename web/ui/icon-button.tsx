// A button that is only a picture: its name is mandatory, read out and shown as a tooltip.
import type { ComponentProps, ReactNode } from 'react'
import styles from './icon-button.module.css'
import { Spinner } from './spinner.tsx'

export interface IconButtonProps extends Omit<
  ComponentProps<'button'>,
  'className' | 'children' | 'aria-label'
> {
  /** Says what it does; accessible name and tooltip. */
  label: string
  children: ReactNode
  variant?: 'quiet' | 'raised' | 'primary' | 'danger'
  /** What is drawn; the target is never under 44 px. */
  size?: 'small' | 'medium' | 'large'
  /** For toggles: marked while true, announced as pressed. */
  pressed?: boolean
  busy?: boolean
  /** Leave the tooltip out where the words stand beside it. */
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

/** For links that look like an icon button. */
export function iconButtonClass(
  variant: NonNullable<IconButtonProps['variant']> = 'quiet',
  size: NonNullable<IconButtonProps['size']> = 'medium',
): string {
  // The usual size has no class of its own.
  return [styles.iconButton, styles[variant], styles[size]].filter(Boolean).join(' ')
}
