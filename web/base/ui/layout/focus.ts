// Where the keyboard focus goes. The rules for every screen:
// 1. A layer in front of the page (dialog, menu, panel, notification) takes the focus, and returns it when it closes,
//    unless the user has moved it elsewhere. For a <dialog> the browser does this, for other layers `returnFocus`.
// 2. When a focused row is removed, the next row gets the focus. If there is none, the previous row gets it. If the
//    list is empty, another control of the list gets it (`keepRowFocus`).
// 3. A new screen gets the focus as a whole, unless the screen has focused one of its fields (`RouteAnnouncer`).
// 4. A form with errors focuses the first invalid field (`useProblems`).
// A lost focus would land on <body>, where the next Space would toggle playback.

/** True if no control has the focus. Also true while the focus is in a dialog that has just closed. */
export function isFocusLost(): boolean {
  const focused = document.activeElement
  return focused === null || focused === document.body || !!focused.closest('dialog:not([open])')
}

/** Focuses the element that had the focus before, if it still exists. */
export function returnFocus(to: EventTarget | null | undefined): void {
  if (to instanceof HTMLElement && to.isConnected) to.focus()
}

/** Focuses the first field with a problem, in the order of the page. */
export function focusFirstProblem(form: HTMLElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}

/** Moves the focus into a layer. The returned function moves it back, unless the user has moved it out of the layer. */
export function takeFocus(layer: HTMLElement): () => void {
  const origin = document.activeElement
  layer.focus({ preventScroll: true })
  return () => {
    if (isFocusLost() || layer.contains(document.activeElement)) returnFocus(origin)
  }
}
