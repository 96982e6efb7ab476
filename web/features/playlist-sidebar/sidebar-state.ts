// Whether the playlist sidebar is shown, and whether it is collapsed. The choice is stored in this browser.
import { useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { create } from 'zustand'
import { useSession } from '../../base/session/session.ts'
import { usePlayerView } from '../player/playback/player-view.ts'
import { breakpoints } from '../../base/ui/theme/breakpoints.ts'

const storageKey = 'velour-playlists-folded'
const wide = breakpoints['--wide']

const useFolded = create<{ isFolded: boolean }>(() => ({ isFolded: readFolded() }))

/** `narrow`: collapsed regardless of the choice, because a player panel needs the space. */
export type SidebarState = 'open' | 'folded' | 'narrow' | null

/** Screens with the sidebar. My Playlists is excluded: it shows the same list. */
const screens = /^\/(?:browse|my-playlists\/.+|playlist\/.+|artists\/.+|releases\/.+)$/

/**
 * Null if there is no sidebar: in narrow windows, for visitors, and on other screens. While the session loads, its
 * space is reserved to prevent a layout shift.
 */
export function useSidebarState(): SidebarState {
  const isWide = useSyncExternalStore(
    subscribe,
    () => matchMedia(wide).matches,
    // Value for server rendering, which has no `matchMedia`.
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
    // If localStorage is full or blocked, the choice lasts until this page is closed.
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
