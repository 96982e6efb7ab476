// Lets the content of a dialog ask for confirmation before the dialog closes by Escape, the backdrop, its × or a Cancel
// button.
import {
  createContext,
  use,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

/** Called instead of closing the dialog. Calls `close` if the dialog should close. */
type CloseGuard = (close: () => void) => void

interface Closing {
  addGuard: (guard: CloseGuard) => () => void
  requestClose: () => void
}

export const ClosingContext = createContext<Closing | null>(null)

/** Creates the close logic of a dialog, which the dialog provides to its content. */
export function useClosing(onClose: (() => void) | undefined): Closing {
  const latest = useRef(onClose)
  useLayoutEffect(() => {
    latest.current = onClose
  })
  const [closing] = useState(() => {
    const guards = new Set<CloseGuard>()
    const close = () => latest.current?.()
    return {
      addGuard(guard: CloseGuard) {
        guards.add(guard)
        return () => void guards.delete(guard)
      },
      requestClose() {
        const [guard] = guards
        if (guard) guard(close)
        else close()
      },
    }
  })
  return closing
}

/** While `isActive`, calls the guard before the surrounding dialog closes. Does nothing outside a dialog. */
export function useCloseGuard(isActive: boolean, guard: CloseGuard): void {
  const closing = use(ClosingContext)
  const latest = useEffectEvent(guard)
  useEffect(() => {
    if (!isActive || !closing) return
    return closing.addGuard((close) => latest(close))
  }, [isActive, closing])
}

/** Closes the surrounding dialog after running its guards. Outside a dialog, runs `fallback`. */
export function useCloseRequest(fallback: () => void): () => void {
  return use(ClosingContext)?.requestClose ?? fallback
}
