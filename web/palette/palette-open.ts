// Whether the command palette is open: the key, the header's button and the drawer all open the same one.
import { create } from 'zustand'

export const usePaletteOpen = create<{ isOpen: boolean }>(() => ({ isOpen: false }))

export function setPaletteOpen(isOpen: boolean): void {
  usePaletteOpen.setState({ isOpen })
}
