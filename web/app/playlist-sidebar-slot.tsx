// Mounts the playlist sidebar in the shell. Loads its code only in wide windows.
import { Suspense, lazy } from 'react'
import { useSession } from '../base/session/session.ts'
import type { SidebarState } from '../features/playlist-sidebar/sidebar-state.ts'

const PlaylistSidebar = lazy(async () => ({
  default: (await import('../features/playlist-sidebar/playlist-sidebar.tsx')).PlaylistSidebar,
}))

export function PlaylistSidebarSlot({ state }: { state: SidebarState }) {
  const { status } = useSession()
  if (!state || status !== 'signed-in') return null
  return (
    <Suspense>
      <PlaylistSidebar isFolded={state !== 'open'} canUnfold={state !== 'narrow'} />
    </Suspense>
  )
}
