// Keeps the focus in a list when rows are removed. When the focused row is removed, the same control of the next row
// gets the focus. If there is no next row, the previous row is used; if the list is empty, the area's search field,
// heading or button. Rows are `li` or `tr`. Matching controls have the same `data-control`.

import { isFocusLost } from '../layout/focus.ts'

/** The control that has the focus, or that gets it when the focus is lost. */
interface FocusTarget {
  /** Undefined if no row is left. */
  row: Element | undefined
  control: string
}

const fallbackSelectors = ['[role="search"] input', 'h1, h2, h3', 'button']

/** Keeps the focus in `area`, which contains the rows and the fallback controls. Pass this function as a ref. */
export function keepRowFocus(area: HTMLElement | null): (() => void) | undefined {
  return area ? watchFocus(area) : undefined
}

function watchFocus(area: HTMLElement): () => void {
  let focusTarget: FocusTarget | undefined

  /**
   * True for elements of a dialog in front of the area. Such a dialog acts on a row, and returns the focus when it
   * closes.
   */
  function isInFront(element: Element) {
    const dialog = element.closest('dialog')
    return dialog !== null && !dialog.contains(area)
  }

  function onFocusIn({ target }: FocusEvent) {
    if (!(target instanceof HTMLElement) || isInFront(target)) return
    const row = target.closest('li, tr')
    const { control } = target.dataset
    focusTarget = control && row && area.contains(row) ? { row, control } : undefined
  }

  function onFocusOut({ target }: FocusEvent) {
    // The pressed button loses the focus when the dialog closes, before or after the `close` event.
    if (!(target instanceof Element) || isInFront(target)) return
    // Some browsers fire focusout while removing the row, so check afterwards whether it is still connected.
    queueMicrotask(() => {
      if (document.activeElement === document.body && target.isConnected) focusTarget = undefined
    })
  }

  function restore() {
    if (!focusTarget || !isFocusLost()) return
    const control = focusTarget.row
      ? findControl(focusTarget.row, focusTarget.control)
      : findFallback(area)
    // Don't scroll to a row: the next row has moved to the position of the removed one.
    control?.focus({ preventScroll: focusTarget.row !== undefined })
  }

  const observer = new MutationObserver((records) => {
    for (const record of records) if (focusTarget) focusTarget = afterRemoval(focusTarget, record)
    restore()
  })
  observer.observe(area, { childList: true, subtree: true })
  document.addEventListener('focusin', onFocusIn)
  document.addEventListener('focusout', onFocusOut)
  // `close` does not bubble.
  document.addEventListener('close', restore, true)
  return () => {
    observer.disconnect()
    document.removeEventListener('focusin', onFocusIn)
    document.removeEventListener('focusout', onFocusOut)
    document.removeEventListener('close', restore, true)
  }
}

/** Returns the new focus target after this mutation; undefined if the focus should not move. */
function afterRemoval(focusTarget: FocusTarget, record: MutationRecord): FocusTarget | undefined {
  const { row, control } = focusTarget
  // A moved row is detached for a moment.
  if (!row || row.isConnected) return focusTarget
  const removed = [...record.removedNodes].find((node) => node.contains(row))
  if (!removed) return focusTarget
  if (removed !== row) return { row: undefined, control }
  const next =
    firstWith(control, record.nextSibling, 'nextSibling') ??
    firstWith(control, record.previousSibling, 'previousSibling')
  return next && isAsLong(row, next) ? undefined : { row: next, control }
}

/** Returns the nearest row on one side that has a usable control with this name. */
function firstWith(
  control: string,
  from: Node | null,
  side: 'nextSibling' | 'previousSibling',
): Element | undefined {
  for (let node = from; node; node = node[side]) {
    if (node instanceof Element && findControl(node, control)) return node
  }
  return undefined
}

/** True if the row was only scrolled out of a virtual list, so the total length is unchanged. */
function isAsLong(row: Element, other: Element): boolean {
  const length = row.getAttribute('aria-setsize')
  return length !== null && length === other.getAttribute('aria-setsize')
}

function findControl(row: Element, control: string): HTMLElement | null {
  return row.querySelector<HTMLElement>(`[data-control="${control}"]:not(:disabled)`)
}

function findFallback(area: Element): HTMLElement | undefined {
  for (const selector of fallbackSelectors) {
    const found = area.querySelector<HTMLElement>(selector)
    if (!found) continue
    if (found instanceof HTMLHeadingElement) found.tabIndex = -1
    return found
  }
  return undefined
}
