// Finds and focuses controls of rows. Rows have `data-row`, their controls `data-control`.

/** Returns the index of the row that contains an element. */
export function findRowIndex(element: EventTarget): number | undefined {
  const row = (element as HTMLElement).closest<HTMLElement>('[data-row]')?.dataset.row
  return row === undefined ? undefined : Number(row)
}

/** Focuses the named control of a row, or else the row's first control. Returns false if the row is not rendered. */
export function focusControl(
  list: HTMLElement,
  { index, control }: { index: number; control: string },
): boolean {
  const row = list.querySelector<HTMLElement>(`[data-row="${index}"]`)
  if (!row) return false
  const controls = visibleControls(row)
  const target = controls.find((found) => found.dataset.control === control) ?? controls[0]
  target?.focus({ preventScroll: true })
  return target !== undefined
}

/** Returns the control `step` positions further in the same row. */
export function findNeighborControl(control: HTMLElement, step: 1 | -1): HTMLElement | undefined {
  const row = control.closest<HTMLElement>('[data-row]')
  const controls = row ? visibleControls(row) : []
  return controls[controls.indexOf(control) + step]
}

/** The focus target when a row's menu closes: the control that had the focus, otherwise the More button. */
export function controlToReturnTo(row: Element): HTMLElement | null {
  const focused = document.activeElement
  if (focused instanceof HTMLElement && row.contains(focused)) return focused
  return row.querySelector<HTMLElement>('[data-control="more"]')
}

/** Returns the controls that are visible: narrow and wide windows show different ones. */
function visibleControls(row: HTMLElement): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>('[data-control]')].filter(
    (control) => control.getClientRects().length > 0,
  )
}
