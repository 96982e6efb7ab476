// Explains an element that has words of its own already; icon buttons bring theirs along.
import { cloneElement, type ReactElement } from 'react'

export interface TooltipProps {
  text: string
  /** One element that can take the focus. */
  children: ReactElement<{ 'data-tooltip'?: string; 'aria-description'?: string }>
}

export function Tooltip({ text, children }: TooltipProps) {
  return cloneElement(children, { 'data-tooltip': text, 'aria-description': text })
}
