// The width class of a track list. Measured once per list: container queries would be evaluated for every row that
// scrolls into view.
import { createContext, useLayoutEffect, useState } from 'react'

export type ListSize = 'narrow' | 'medium' | 'wide' | 'very-wide'

/** Passes the size to components inside the rows. */
export const ListSizeContext = createContext<ListSize>('wide')

const mediumFromPx = 544
const wideFromPx = 768
const veryWideFromPx = 1040

export function useListSize(element: { current: HTMLElement | null }): ListSize {
  // An estimate until the list is measured, so that a phone does not render its rows twice.
  const [size, setSize] = useState<ListSize>(innerWidth < mediumFromPx ? 'narrow' : 'wide')
  useLayoutEffect(() => {
    const list = element.current
    if (!list) return
    const measure = () => setSize(toListSize(list.clientWidth))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(list)
    return () => observer.disconnect()
  }, [element])
  return size
}

function toListSize(widthPx: number): ListSize {
  if (widthPx < mediumFromPx) return 'narrow'
  if (widthPx < wideFromPx) return 'medium'
  return widthPx < veryWideFromPx ? 'wide' : 'very-wide'
}
