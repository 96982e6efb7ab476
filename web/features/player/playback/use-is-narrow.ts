import { useSyncExternalStore } from 'react'
import { breakpoints } from '../../../base/ui/theme/breakpoints.ts'

/** The specification's mobile breakpoint. */
const narrow = breakpoints['--below-tablet']

/** True if the bar is slim and everything else opens in the full window. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, isNarrow)
}

export function isNarrow(): boolean {
  return matchMedia(narrow).matches
}

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(narrow)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}
