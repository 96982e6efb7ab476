// Positions a floating box beside its anchor within the window: on the preferred side if it fits, otherwise on the
// opposite side.

export type Side = 'top' | 'bottom'
export type Align = 'start' | 'center' | 'end'

const marginPx = 8

/** An element, or any object with a position in the window, such as the point of a click. */
export interface FloatingAnchor {
  getBoundingClientRect: () => Pick<DOMRect, 'top' | 'bottom' | 'left' | 'right' | 'width'>
}

/**
 * Positions a floating box beside its anchor. The box must have `position: fixed` and be visible, so that it can be
 * measured.
 */
export function placeFloating(
  anchor: FloatingAnchor,
  floating: HTMLElement,
  { side, align, gapPx = 8 }: { side: Side; align: Align; gapPx?: number },
): void {
  const from = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = floating
  const roomBelow = innerHeight - from.bottom - gapPx - marginPx
  const roomAbove = from.top - gapPx - marginPx
  const below =
    side === 'bottom' ? roomBelow >= height || roomBelow >= roomAbove : roomAbove < height
  const top = below ? from.bottom + gapPx : from.top - gapPx - height
  const left = {
    start: from.left,
    center: from.left + from.width / 2 - width / 2,
    end: from.right - width,
  }[align]
  floating.style.top = `${clamp(top, marginPx, innerHeight - height - marginPx)}px`
  floating.style.left = `${clamp(left, marginPx, innerWidth - width - marginPx)}px`
  floating.dataset.side = below ? 'bottom' : 'top'
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high))
}
