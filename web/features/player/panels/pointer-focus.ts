// Tracks whether the focused control was reached by mouse or touch. After a click the focus stays on the button, but
// the next key press is not meant for it. `:focus-visible` can't be used: any key press turns it on.

let isByPointer = false
let reachedByPointer: Element | null = null

export function isReachedByPointer(element: Element): boolean {
  return reachedByPointer !== null && reachedByPointer.contains(element)
}

/** Tracks the page until the returned function is called. */
export function watchPointerFocus(): () => void {
  const watching = new AbortController()
  const options = { capture: true, passive: true, signal: watching.signal }
  document.addEventListener(
    'pointerdown',
    ({ target }) => {
      isByPointer = true
      // A click on a control that already has the focus fires no focusin, so handle it here.
      const focused = document.activeElement
      if (target instanceof Node && focused?.contains(target)) reachedByPointer = focused
    },
    options,
  )
  document.addEventListener('keydown', () => (isByPointer = false), options)
  document.addEventListener(
    'focusin',
    ({ target }) => (reachedByPointer = isByPointer ? (target as Element) : null),
    options,
  )
  return () => {
    watching.abort()
    isByPointer = false
    reachedByPointer = null
  }
}
