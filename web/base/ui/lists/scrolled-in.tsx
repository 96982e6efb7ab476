// A row of a virtual list that mounts during a scroll first renders as an empty row with a CSS placeholder. React then
// renders it at low priority, so that rows that quickly scroll out again don't block the next scroll event.
import { useDeferredValue, type ReactNode } from 'react'

/** @param props.isScrolling read once, when the row mounts */
export function ScrolledIn(props: { isScrolling: boolean; children: ReactNode }): ReactNode {
  const isReady = useDeferredValue(true, !props.isScrolling)
  return isReady ? props.children : null
}
