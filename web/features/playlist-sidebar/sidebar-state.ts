// Whether the sidebar of playlists is there, and whether it is folded. The choice is kept in this browser.
import { useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { create } from 'zustand'
import { useSession } from '../../base/session/session.ts'
import { usePlayerView } from '../player/playback/player-view.ts'
import { breakpoints } from '../../base/ui/theme/breakpoints.ts'

const storageKey = 'velour-playlists-folded'
const wide = breakpoints['--wide']

const useFolded = create<{ isFolded: boolean }>(() => ({ isFolded: readFolded() }))

/** `narrow`: folded, whatever was chosen, because a panel of the player needs the room. */
export type SidebarState = 'open' | 'folded' | 'narrow' | null

/** The list of playlists has no copy of itself beside it. */
const screens = /^\/(?:browse|my-playlists\/.+|playlist\/.+|artists\/.+|releases\/.+)$/

/**
 * Null where there is none: in narrow windows, for visitors, on screens without music. While the session loads there is room
 * for it, so that the screen does not move.
 */
export function useSidebarState(): SidebarState {
  const isWide = useSyncExternalStore(
    subscribe,
    () => matchMedia(wide).matches,
    // The landing page is drawn on the server.
    () => false,
  )
  const isVisitor = useSession().status === 'signed-out'
  const { pathname } = useLocation()
  const { isFolded } = useFolded()
  const hasPanel = usePlayerView(({ panel }) => panel !== null)
  if (!isWide || isVisitor || !screens.test(pathname)) return null
  if (hasPanel) return 'narrow'
  return isFolded ? 'folded' : 'open'
}

export function setFolded(isFolded: boolean): void {
  useFolded.setState({ isFolded })
  try {
    localStorage.setItem(storageKey, isFolded ? 'yes' : 'no')
  } catch {
    // localStorage is full or blocked: the choice lasts until this page is closed.
  }
}

function readFolded(): boolean {
  try {
    return localStorage.getItem(storageKey) === 'yes'
  } catch {
    return false
  }
}

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(wide)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}
