// Whether the focused control was reached with a mouse or a finger. After a click the focus stays on the button, but
// nobody who clicked aims at it with the next key. `:focus-visible` cannot tell: a key press of any kind switches it on.

let isByPointer = false
let reachedByPointer: Element | null = null

export function isReachedByPointer(element: Element): boolean {
  return reachedByPointer !== null && reachedByPointer.contains(element)
}

/** Observes the page until the returned function is called. */
export function watchPointerFocus(): () => void {
  const watching = new AbortController()
  const options = { capture: true, passive: true, signal: watching.signal }
  document.addEventListener(
    'pointerdown',
    ({ target }) => {
      isByPointer = true
      // A click on the control that has the focus already sends no focusin.
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
