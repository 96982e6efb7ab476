// The frame around every screen: skip link, header, main landmark, player, toasts, tooltip.
import type { ReactNode } from 'react'
import { ScrollRestoration, useMatches } from 'react-router'
import { Toasts } from '../ui/toasts.tsx'
import { TooltipLayer } from '../ui/tooltip-layer.tsx'
import { NavigationProgress } from './navigation-progress.tsx'
import { RouteAnnouncer, mainId } from './route-announcer.tsx'
import { isScreenHandle } from './screen.ts'
import { ScreenOutlet } from './screen-outlet.tsx'
import { ScreenSkeleton } from './screen-skeleton.tsx'
import styles from './shell.module.css'
import { SiteHeader } from './site-header.tsx'

export function Shell() {
  const matches = useMatches()
  const hasSiteHeader = matches.every(
    ({ handle }) => !isScreenHandle(handle) || handle.hasSiteHeader,
  )
  return (
    <Frame hasSiteHeader={hasSiteHeader}>
      <ScreenOutlet />
      <RouteAnnouncer />
      <ScrollRestoration />
    </Frame>
  )
}

/** While the code of the first screen is on its way. */
export function LoadingShell() {
  return (
    <Frame hasSiteHeader>
      <ScreenSkeleton />
    </Frame>
  )
}

function Frame({ hasSiteHeader, children }: { hasSiteHeader: boolean; children: ReactNode }) {
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href={`#${mainId}`}>
        Skip to content
      </a>
      <NavigationProgress />
      {hasSiteHeader && <SiteHeader />}
      <main id={mainId} className={styles.main} tabIndex={-1}>
        {children}
      </main>
      <Toasts />
      <TooltipLayer />
    </div>
  )
}
