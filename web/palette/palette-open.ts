// Whether the command palette is open. Shared by the shortcut, the header's button and the drawer.
import { create } from 'zustand'

export const usePaletteOpen = create<{ isOpen: boolean }>(() => ({ isOpen: false }))

export function setPaletteOpen(isOpen: boolean): void {
  usePaletteOpen.setState({ isOpen })
}

/**
 * Loads the palette's code. It is also prefetched when the user is likely to open it, so that no typed letter is lost.
 */
export function loadPalette() {
  return import('./palette.tsx')
}

/** A failed prefetch is ignored: opening the palette retries. */
export function prefetchPalette(): void {
  loadPalette().catch(() => {})
}
