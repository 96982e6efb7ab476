// The app shell: skip link, header, main landmark, player, toasts, tooltip.
import { ScrollRestoration, useMatches } from 'react-router'
import { PaletteSlot } from '../features/palette/palette-slot.tsx'
import { Toasts } from '../base/ui/overlays/toasts.tsx'
import { TooltipLayer } from '../base/ui/overlays/tooltip-layer.tsx'
import { ConfirmAgainSlot } from './confirm-again-slot.tsx'
import { ConsentSlot } from './consent-slot.tsx'
import { ConnectionNotice } from './connection-notice.tsx'
import { LeaveGuard } from '../base/unsaved-work/leave-guard.tsx'
import { useLiveEvents } from '../base/live/live-events.ts'
import { NavigationProgress } from './navigation-progress.tsx'
import { useSidebarState } from '../features/playlist-sidebar/sidebar-state.ts'
import { PaymentSlot } from './payment-slot.tsx'
import { PlaylistSidebarSlot } from './playlist-sidebar-slot.tsx'
import { PlayerSlot } from './player-slot.tsx'
import { useOwnerColors } from '../base/session/owner-colors.ts'
import { RouteAnnouncer, mainId } from './route-announcer.tsx'
import { isScreenHandle } from '../base/navigation/screen.ts'
import { ScreenOutlet } from './screen-outlet.tsx'
import { SetupSlot } from './setup-slot.tsx'
import styles from './shell.module.css'
import { useSignedOutNotice } from '../base/session/signed-out-notice.ts'
import { SiteHeader } from './site-header.tsx'

export function Shell() {
  useLiveEvents()
  useSignedOutNotice()
  useOwnerColors()
  const matches = useMatches()
  const playlists = useSidebarState()
  const hasSiteHeader = matches.every(
    ({ handle }) => !isScreenHandle(handle) || handle.hasSiteHeader,
  )
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href={`#${mainId}`}>
        Skip to content
      </a>
      <NavigationProgress />
      {hasSiteHeader && <SiteHeader />}
      <ConnectionNotice />
      <PlaylistSidebarSlot state={playlists} />
      <main
        id={mainId}
        className={styles.main}
        data-playlists={playlists ?? undefined}
        tabIndex={-1}
      >
        {hasSiteHeader && <PaymentSlot />}
        <ScreenOutlet />
        <TooltipLayer />
      </main>
      <SetupSlot />
      <PlayerSlot />
      <PaletteSlot />
      <ConfirmAgainSlot />
      <ConsentSlot />
      <RouteAnnouncer />
      <ScrollRestoration />
      <LeaveGuard />
      <Toasts />
    </div>
  )
}
