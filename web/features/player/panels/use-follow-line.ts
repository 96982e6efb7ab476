// Scrolls the current line to the center of its box, unless the user has just scrolled.
import { useEffect, useRef } from 'react'

/** After a manual scroll, following pauses for this long. */
const restMs = 4000

/** Returns the ref for the box. The box must contain one element with `aria-current` while there is a current line. */
export function useFollowLine(current: number) {
  const box = useRef<HTMLDivElement>(null)
  const restUntilMs = useRef(0)

  useEffect(() => {
    const element = box.current
    const line = element?.querySelector<HTMLElement>('[aria-current]')
    if (!element || !line || performance.now() < restUntilMs.current) return
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
    element.scrollTo({
      top: line.offsetTop - element.clientHeight / 2 + line.offsetHeight / 2,
      behavior: calm ? 'instant' : 'smooth',
    })
  }, [current])

  function onScrollIntent() {
    restUntilMs.current = performance.now() + restMs
  }
  return { box, onScrollIntent }
}
