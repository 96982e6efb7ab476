// The one tooltip of the page. Any element that carries `data-tooltip` gets it on hover and on keyboard
// focus; nothing is mounted per element, so lists of 20,000 rows cost nothing. Mount once, at the root.
import { useEffect, useRef } from 'react'
import { placeFloating } from './place-floating.ts'
import styles from './tooltip-layer.module.css'

const showDelayMs = 350
/** Time to move the pointer from the element onto the tooltip itself (WCAG 1.4.13). */
const hideDelayMs = 90

export function TooltipLayer() {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => (box.current ? followTooltips(box.current) : undefined), [])
  return <div ref={box} className={styles.tooltip} popover="manual" role="tooltip" />
}

function followTooltips(box: HTMLElement): () => void {
  const listening = new AbortController()
  const options = { signal: listening.signal, capture: true, passive: true }
  let anchor: HTMLElement | null = null
  let shown = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function later(delayMs: number, act: () => void) {
    clearTimeout(timer)
    timer = setTimeout(act, delayMs)
  }
  function show() {
    const text = anchor?.isConnected ? anchor.dataset.tooltip : undefined
    if (!anchor || !text) return hide()
    box.textContent = text
    // Shown anew each time, so that it lies above a dialog that opened in between.
    box.hidePopover?.()
    box.showPopover?.()
    shown = true
    placeFloating(anchor, box, { side: 'top', align: 'center' })
  }
  function hide() {
    clearTimeout(timer)
    anchor = null
    shown = false
    box.hidePopover?.()
  }

  function pointerOver(event: PointerEvent) {
    // A touch does not hover, and a drag must not be explained on its way.
    if (event.pointerType === 'touch' || event.buttons !== 0) return
    const target = event.target as HTMLElement
    if (box.contains(target)) return clearTimeout(timer)
    const found = target.closest<HTMLElement>('[data-tooltip]')
    if (!found) {
      if (anchor) later(hideDelayMs, hide)
    } else if (found !== anchor || !shown) {
      anchor = found
      later(showDelayMs, show)
    } else {
      clearTimeout(timer)
    }
  }
  function focusIn(event: FocusEvent) {
    const target = event.target as HTMLElement
    const found = target.closest<HTMLElement>('[data-tooltip]')
    if (!found || !target.matches(':focus-visible')) return
    anchor = found
    show()
  }
  function keyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') hide()
  }

  document.addEventListener('pointerover', pointerOver, options)
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
