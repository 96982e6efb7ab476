// Whether the command palette is open. Shared by the shortcut, the header's button and the drawer.
import { create } from 'zustand'
import { lazyComponent } from '../../base/ui/layout/lazy-component.tsx'

export const usePaletteOpen = create<{ isOpen: boolean }>(() => ({ isOpen: false }))

export function setPaletteOpen(isOpen: boolean): void {
  usePaletteOpen.setState({ isOpen })
}

export const Palette = lazyComponent(async () => (await import('./palette.tsx')).Palette)

/**
 * Loads the palette's code when the user is likely to open it, so that no typed letter is lost. Failures are ignored:
 * opening the palette retries.
 */
export function prefetchPalette(): void {
  Palette.load().catch(() => {})
}
