// Suppresses the click at the end of a touch.

/** If the browser still sends the click, it does so within this time. */
const clickDelayMs = 350

/**
 * Blocks the click of the current touch. The block ends with that touch, so that clicks from keyboards and screen
 * readers, which come without a touch, still work.
 */
export function swallowNextClick(): void {
  const listening = new AbortController()
  const options = { capture: true, signal: listening.signal }
  const onClick = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
    listening.abort()
  }
  const onEnd = (event: Event) => {
    // Preventing the default of touchend suppresses the click, even when it would come late on a busy page.
    if (event.cancelable) event.preventDefault()
    setTimeout(() => listening.abort(), clickDelayMs)
  }
  document.addEventListener('click', onClick, options)
  document.addEventListener('touchend', onEnd, { ...options, passive: false })
  document.addEventListener('touchcancel', onEnd, options)
  // Register it after the current event has passed this phase, so that only a later event triggers it.
  setTimeout(() => document.addEventListener('pointerdown', () => listening.abort(), options))
}
