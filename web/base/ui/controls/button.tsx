// A button with a label. While busy it keeps its size, its label and the focus.
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { buttonClass, type ButtonLook } from './button-class.ts'
import styles from './button.module.css'
import { Spinner } from './spinner.tsx'

export interface ButtonProps extends ButtonLook, Omit<ComponentProps<'button'>, 'className'> {
  icon?: ReactNode
  /** True while the action is running. Clicks then do nothing, and the focus stays. */
  busy?: boolean
}

export function Button({
  variant,
  size,
  wide,
  icon,
  busy = false,
  type = 'button',
  onClick,
  children,
  ...rest
}: ButtonProps) {
  function click(event: MouseEvent<HTMLButtonElement>) {
    if (busy) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass({ variant, size, wide })}
      onClick={click}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
    >
      {(icon || busy) && (
        <span className={styles.icon} aria-hidden="true">
          {busy ? <Spinner /> : icon}
        </span>
      )}
      <span>{children}</span>
    </button>
  )
}
