// The page's only tooltip. Any element with `data-tooltip` gets it on hover and on keyboard focus. Nothing is mounted
// per element, so lists of 20,000 rows cost nothing. Mount it once, at the root. The tooltip takes no clicks. The
// pointer may rest on it (WCAG 1.4.13), unless a control lies below.
import { useEffect, useRef } from 'react'
import { placeFloating } from '../layout/place-floating.ts'
import styles from './tooltip-layer.module.css'

const showDelayMs = 350
/** Gap between the element and its tooltip. */
const gapPx = 8
const controls = 'a, button, input, select, textarea, label, summary, [data-tooltip]'

export function TooltipLayer() {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => (box.current ? followTooltips(box.current) : undefined), [])
  return <div ref={box} className={styles.tooltip} popover="manual" role="tooltip" />
}

function followTooltips(box: HTMLElement): () => void {
  const listening = new AbortController()
  const options = { signal: listening.signal, capture: true, passive: true }
  let anchor: HTMLElement | null = null
  let shown: 'by-pointer' | 'by-focus' | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  function show(by: 'by-pointer' | 'by-focus') {
    const text = anchor?.isConnected ? anchor.dataset.tooltip : undefined
    if (!anchor || !text) return hide()
    box.textContent = text
    // Reopen the tooltip each time, so that it is above any dialog that was opened since.
    box.hidePopover?.()
    box.showPopover?.()
    shown = by
    placeFloating(anchor, box, { side: 'top', align: 'center', gapPx })
  }
  function hide() {
    clearTimeout(timer)
    anchor = null
    shown = null
    box.hidePopover?.()
  }

  function pointerOver(event: PointerEvent) {
    // Touch screens have no hover, and no tooltip should appear during a drag.
    if (event.pointerType === 'touch' || event.buttons !== 0) return
    const found = (event.target as HTMLElement).closest<HTMLElement>('[data-tooltip]')
    // `pointermove` or a change of focus hides a visible tooltip.
    if (found === anchor || (shown && !found)) return
    hide()
    if (!found) return
    anchor = found
    timer = setTimeout(() => show('by-pointer'), showDelayMs)
  }
  function pointerMove(event: PointerEvent) {
    if (shown !== 'by-pointer' || anchor?.contains(event.target as Node)) return
    if (!isOnTooltip(box, event)) hide()
  }
  function focusIn(event: FocusEvent) {
    const target = event.target as HTMLElement
    const found = target.closest<HTMLElement>('[data-tooltip]')
    if (!found || !target.matches(':focus-visible')) return
    anchor = found
    show('by-focus')
  }
  function keyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') hide()
  }

  document.addEventListener('pointerover', pointerOver, options)
  document.addEventListener('pointermove', pointerMove, options)
  document.addEventListener('pointerdown', hide, options)
  document.addEventListener('focusin', focusIn, options)
  document.addEventListener('focusout', hide, options)
  document.addEventListener('keydown', keyDown, options)
  document.addEventListener('scroll', hide, options)
  return () => {
    listening.abort()
    clearTimeout(timer)
  }
}

/** True if the pointer is on the tooltip or in the gap between tooltip and element, and no control lies below. */
function isOnTooltip(box: HTMLElement, { target, clientX, clientY }: PointerEvent): boolean {
  const { left, right, top, bottom } = box.getBoundingClientRect()
  const isInside =
    clientX >= left && clientX <= right && clientY >= top - gapPx && clientY <= bottom + gapPx
  return isInside && (target as Element).closest(controls) === null
}
