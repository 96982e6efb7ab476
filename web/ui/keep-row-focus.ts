// Keeps the focus where rows come and go. When the row that has it leaves, the same control of the next row
// gets it, else that of the row before, else what stays of the area: its search field, heading or button.
// On the page itself the next Space would start or stop the music. Rows are `li` or `tr`; the controls that
// one goes on with carry the same `data-control`.

/** What has the focus, or shall have it when the page has lost it. */
interface Held {
  /** Undefined: there is no row left to go on with. */
  row: Element | undefined
  control: string
}

const whatStays = ['[role="search"] input', 'h1, h2, h3', 'button']

/** A ref for the element around the rows and what stays without them. */
export function keepRowFocus(area: HTMLElement | null): (() => void) | undefined {
  return area ? keepIn(area) : undefined
}

function keepIn(area: HTMLElement): () => void {
  let held: Held | undefined

  /** A question in front of the area is about the row: the focus comes back from it. */
  function isInFront(element: Element) {
    const dialog = element.closest('dialog')
    return dialog !== null && !dialog.contains(area)
  }

  function onFocusIn({ target }: FocusEvent) {
    if (!(target instanceof HTMLElement) || isInFront(target)) return
    const row = target.closest('li, tr')
    const { control } = target.dataset
    held = control && row && area.contains(row) ? { row, control } : undefined
  }

  function onFocusOut({ target }: FocusEvent) {
    // The answer that was pressed loses it when the question closes, before or after that is told.
    if (!(target instanceof Element) || isInFront(target)) return
    // Some browsers tell it while they take the row away: whether it stays is seen after that.
    queueMicrotask(() => {
      if (document.activeElement === document.body && target.isConnected) held = undefined
    })
  }

  function restore() {
    if (!held || !isFocusLost()) return
    const control = held.row ? controlOf(held.row, held.control) : whatStaysOf(area)
    // The next row comes to where the last one was.
    control?.focus({ preventScroll: held.row !== undefined })
  }

  const observer = new MutationObserver((records) => {
    for (const record of records) if (held) held = afterRemoval(held, record)
    restore()
  })
  observer.observe(area, { childList: true, subtree: true })
  document.addEventListener('focusin', onFocusIn)
  document.addEventListener('focusout', onFocusOut)
  // It does not bubble.
  document.addEventListener('close', restore, true)
  return () => {
    observer.disconnect()
    document.removeEventListener('focusin', onFocusIn)
    document.removeEventListener('focusout', onFocusOut)
    document.removeEventListener('close', restore, true)
  }
}

/** Whom the focus goes to by this change of the area; undefined: nobody. */
function afterRemoval(held: Held, record: MutationRecord): Held | undefined {
  const { row, control } = held
  // A row that is moved is taken out for a moment.
  if (!row || row.isConnected) return held
  const removed = [...record.removedNodes].find((node) => node.contains(row))
  if (!removed) return held
  if (removed !== row) return { row: undefined, control }
  const heir =
    firstWith(control, record.nextSibling, 'nextSibling') ??
    firstWith(control, record.previousSibling, 'previousSibling')
  return heir && isAsLong(row, heir) ? undefined : { row: heir, control }
}

/** The nearest row on that side that one can go on with. */
function firstWith(
  control: string,
  from: Node | null,
  side: 'nextSibling' | 'previousSibling',
): Element | undefined {
  for (let node = from; node; node = node[side]) {
    if (node instanceof Element && controlOf(node, control)) return node
  }
  return undefined
}

/** The row was only scrolled out of a window over a long list, which is no longer or shorter by that. */
function isAsLong(row: Element, other: Element): boolean {
  const length = row.getAttribute('aria-setsize')
  return length !== null && length === other.getAttribute('aria-setsize')
}

function controlOf(row: Element, control: string): HTMLElement | null {
  return row.querySelector<HTMLElement>(`[data-control="${control}"]:not(:disabled)`)
}

function whatStaysOf(area: Element): HTMLElement | undefined {
  for (const selector of whatStays) {
    const found = area.querySelector<HTMLElement>(selector)
    if (!found) continue
    if (found instanceof HTMLHeadingElement) found.tabIndex = -1
    return found
  }
  return undefined
}

/** Also a dialog that has just closed may hold it still. */
function isFocusLost(): boolean {
  const focused = document.activeElement
  return focused === null || focused === document.body || !!focused.closest('dialog:not([open])')
}
