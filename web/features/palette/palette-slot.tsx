// The slot of the command palette in the shell. Its code is loaded when first needed, and only for signed-in users:
// visitors have nothing to search.
import { useEffect, useState } from 'react'
import { useSession } from '../../base/session/session.ts'
import { Palette, prefetchPalette, setPaletteOpen, usePaletteOpen } from './palette-open.ts'

export function PaletteSlot() {
  const isMember = useSession().status === 'signed-in'
  const { isOpen } = usePaletteOpen()
  // Keep the palette mounted after the first opening, so that its closing animation can run.
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen && !wasOpen) setWasOpen(true)

  useEffect(() => {
    if (!isMember) return
    const onKeyDown = (event: KeyboardEvent) => {
      // Users press Ctrl or Meta before K, so start loading then.
      if (event.key === 'Control' || event.key === 'Meta') prefetchPalette()
      const isWanted = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
      if (!isWanted || event.key.toLowerCase() !== 'k') return
      // Override the browser's own shortcut even if the palette does not open.
      event.preventDefault()
      const now = usePaletteOpen.getState().isOpen
      if (now || !isUnderDialog()) setPaletteOpen(!now)
    }
    addEventListener('keydown', onKeyDown)
    return () => {
      removeEventListener('keydown', onKeyDown)
      setPaletteOpen(false)
    }
  }, [isMember])

  if (!isMember || !wasOpen) return null
  return <Palette open={isOpen} onClose={() => setPaletteOpen(false)} />
}

/** True while an open dialog blocks the palette. The player's own dialogs don't block it. */
function isUnderDialog(): boolean {
  return document.querySelector('dialog[open]:not([data-player])') !== null
}
