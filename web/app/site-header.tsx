// The navigation as specified: brand; for members the screens, profile and Logout; for visitors Sign In; and the
// command palette. Narrow windows show the links in a drawer on the left.
import { IconLogout, IconMenu2, IconUser } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import { PaletteButton } from '../features/palette/palette-button.tsx'
import { BrandName } from '../base/session/brand-name.tsx'
import { lazyComponent } from '../base/ui/layout/lazy-component.tsx'
import { iconButtonClass, IconButton } from '../base/ui/controls/icon-button.tsx'
import { ButtonLink, ScreenLink, ScreenNavLink } from '../base/navigation/screen-link.tsx'
import { useSession } from '../base/session/session.ts'
import styles from './site-header.module.css'
import { useLogout } from '../base/session/logout.ts'
import { navigationLinks } from '../base/navigation/navigation-links.ts'

const NavigationDrawer = lazyComponent(
  async () => (await import('./navigation-drawer.tsx')).NavigationDrawer,
)

export function SiteHeader() {
  const session = useSession()
  const [drawer, setDrawer] = useState<'never opened' | 'open' | 'closed'>('never opened')
  return (
    <header className={styles.header}>
      <div className={styles.inner}>
        <span className={styles.menu}>
          <IconButton label="Menu" onClick={() => setDrawer('open')} aria-haspopup="dialog">
            <IconMenu2 />
          </IconButton>
        </span>
        <ScreenLink to="/" className={styles.brand}>
          <BrandName />
        </ScreenLink>
        {session.status === 'signed-in' && <MemberNavigation role={session.user.role} />}
        {session.status === 'signed-out' && (
          <nav className={styles.signedOut} aria-label="Main">
            <ButtonLink to="/auth" variant="secondary" size="small">
              Sign In
            </ButtonLink>
          </nav>
        )}
      </div>
      {drawer !== 'never opened' && (
        <NavigationDrawer open={drawer === 'open'} onClose={() => setDrawer('closed')} />
      )}
    </header>
  )
}

function MemberNavigation({ role }: { role: string }) {
  const logout = useLogout()
  return (
    <nav className={styles.navigation} aria-label="Main">
      <ul className={styles.links}>
        {navigationLinks(role).map(({ to, label }) => (
          <li key={to}>
            <ScreenNavLink to={to} className={styles.link!}>
              {label}
            </ScreenNavLink>
          </li>
        ))}
      </ul>
      <PaletteButton />
      <span className={styles.tools}>
        <ScreenNavLink
          to="/profile"
          className={iconButtonClass()}
          aria-label="Profile"
          data-tooltip="Profile"
        >
          <IconUser />
        </ScreenNavLink>
        <IconButton label="Logout" busy={logout.isPending} onClick={() => logout.mutate()}>
          <IconLogout />
        </IconButton>
      </span>
    </nav>
  )
}
