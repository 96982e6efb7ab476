// Where the command palette waits on every screen. Its code is fetched when it is first wanted, and
// only for people who are signed in: there is nothing to find for the others.
import { Suspense, lazy, useEffect, useState } from 'react'
import { useSession } from '../app/session.ts'
import { loadPalette, prefetchPalette, setPaletteOpen, usePaletteOpen } from './palette-open.ts'

const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }))

export function PaletteSlot() {
  const isMember = useSession().status === 'signed-in'
  const { isOpen } = usePaletteOpen()
  // Stays mounted once it was open, so that it can move away when it closes.
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen && !wasOpen) setWasOpen(true)

  useEffect(() => {
    if (!isMember) return
    const onKeyDown = (event: KeyboardEvent) => {
      // The first of the two keys is down.
      if (event.key === 'Control' || event.key === 'Meta') prefetchPalette()
      const isWanted = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
      if (!isWanted || event.key.toLowerCase() !== 'k') return
      // The browser's own meaning of the keys never comes through, so that nothing depends on luck.
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
  return (
    <Suspense>
      <Palette open={isOpen} onClose={() => setPaletteOpen(false)} />
    </Suspense>
  )
}

/** A question in front wants its answer first; the player's own panels do not. */
function isUnderDialog(): boolean {
  return document.querySelector('dialog[open]:not([data-player])') !== null
}
