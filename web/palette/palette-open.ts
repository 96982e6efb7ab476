// Whether the command palette is open: the key, the header's button and the drawer all open the same one.
import { create } from 'zustand'

export const usePaletteOpen = create<{ isOpen: boolean }>(() => ({ isOpen: false }))

export function setPaletteOpen(isOpen: boolean): void {
  usePaletteOpen.setState({ isOpen })
}

/** Its code; asked for ahead by whoever looks like wanting it, so that no letter typed is lost. */
export function loadPalette() {
  return import('./palette.tsx')
}

/** Not reachable right now: opening it tries again. */
export function prefetchPalette(): void {
  loadPalette().catch(() => {})
}
