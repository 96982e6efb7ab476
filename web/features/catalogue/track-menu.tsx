// The actions of a track, the same in all lists. A screen has one menu, which opens for the track of a row by its
// More button, a right click, a long press or the context menu key.
import { createContext, use, useId, useMemo, useRef, useState, type ReactNode } from 'react'
import type { Track } from '#contract/tracks.ts'
import { FloatingMenu } from '../../base/ui/overlays/menu.tsx'
import { returnFocus } from '../../base/ui/layout/focus.ts'
import type { Align, FloatingAnchor } from '../../base/ui/layout/place-floating.ts'
import { PlaylistActionsProvider } from './playlist-actions.tsx'
import { PlaylistItems, TrackItems } from './track-menu-items.tsx'

export interface TrackMenuRequest {
  track: Track
  anchor: FloatingAnchor
  align: Align
  /** Receives the focus when the menu closes. */
  opener: HTMLElement | null
  /** Shows only the playlists, for the Add to playlist button. */
  part?: 'playlists'
  /** Removes the track from the playlist on the screen. */
  onRemove?: ((track: Track) => void) | undefined
  /** Starts the selection mode with this track. */
  onChoose?: (() => void) | undefined
  onClose?: () => void
}

interface TrackMenu {
  menuId: string
  open: (request: TrackMenuRequest) => void
  close: () => void
}

const TrackMenuContext = createContext<TrackMenu | null>(null)

export function useTrackMenu(): TrackMenu {
  const menu = use(TrackMenuContext)
  if (!menu) throw new Error('useTrackMenu needs a TrackActionsProvider around it')
  return menu
}

/** Provides a screen with the track menu and the dialogs that its items open. */
export function TrackActionsProvider({ children }: { children: ReactNode }) {
  return (
    <PlaylistActionsProvider>
      <TrackMenuProvider>{children}</TrackMenuProvider>
    </PlaylistActionsProvider>
  )
}

function TrackMenuProvider({ children }: { children: ReactNode }) {
  const menuId = useId()
  const [request, setRequest] = useState<TrackMenuRequest>()
  const current = useRef<TrackMenuRequest>(undefined)
  const menu = useMemo(() => {
    const change = (next: TrackMenuRequest | undefined) => {
      current.current?.onClose?.()
      current.current = next
      setRequest(next)
    }
    return { menuId, open: change, close: () => change(undefined) }
  }, [menuId])
  return (
    <TrackMenuContext value={menu}>
      {children}
      {request && (
        <FloatingMenu
          // Remounts for each request, so that it is positioned and focused again.
          key={`${request.track.id} ${request.part ?? ''}`}
          id={menuId}
          label={request.part === 'playlists' ? 'Add to playlist' : request.track.title}
          anchor={request.anchor}
          align={request.align}
          gapPx={request.anchor instanceof Element ? 8 : 2}
          abandon={menu.close}
          close={() => {
            menu.close()
            returnFocus(request.opener)
          }}
        >
          {request.part !== 'playlists' && <TrackItems {...request} />}
          <PlaylistItems tracks={[request.track]} />
        </FloatingMenu>
      )}
    </TrackMenuContext>
  )
}
