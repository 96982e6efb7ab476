// A row of a virtual list that mounts during a scroll shows its shape first, as CSS on an empty row. React renders it
// at low priority, so that the next scroll event does not wait for rows that are about to leave again.
import { useDeferredValue, type ReactNode } from 'react'

/** @param props.isScrolling read once, when the row mounts */
export function ScrolledIn(props: { isScrolling: boolean; children: ReactNode }): ReactNode {
  const isReady = useDeferredValue(true, !props.isScrolling)
  return isReady ? props.children : null
}
