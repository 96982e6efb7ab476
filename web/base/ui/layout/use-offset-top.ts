// Position of a list in the document, for virtual lists that scroll with the page.
import { useLayoutEffect, useState } from 'react'

/** Returns the distance of the element from the top of the document, updated when content above changes size. */
export function useOffsetTop(element: { current: HTMLElement | null }): number {
  const [offsetTopPx, setOffsetTopPx] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      const top = element.current?.getBoundingClientRect().top
      if (top !== undefined) setOffsetTopPx(Math.round(top + scrollY))
    }
    measure()
    if (typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [element])
  return offsetTopPx
}
