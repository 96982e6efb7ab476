// The back-office top bar: a button that collapses the sidebar, and links to the member area. In narrow windows the
// links move into a menu.
import {
  IconDotsVertical,
  IconLayoutSidebar,
  IconLogout,
  IconUser,
} from '#web/base/ui/icons/icons.ts'
import { useNavigate } from 'react-router'
import { navigationLinks, type NavigationLink } from '../../base/navigation/navigation-links.ts'
import { useSession } from '../../base/session/session.ts'
import { useMay } from '../../base/session/use-may.ts'
import { useLogout } from '../../base/session/logout.ts'
import { ScreenNavLink } from '../../base/navigation/screen-link.tsx'
import { PaletteButton } from '../../features/palette/palette-button.tsx'
import { IconButton, iconButtonClass } from '../../base/ui/controls/icon-button.tsx'
import { Menu, MenuItem } from '../../base/ui/overlays/menu.tsx'
import styles from './admin-top-bar.module.css'
import { UploadChip } from '../uploads/upload-chip.tsx'

/** The member area's links. In the back office, the Admin link opens the first screen that the role may open. */
function useLinks(): NavigationLink[] {
  const role = useSession().user?.role ?? 'member'
  return navigationLinks(role).map((link) =>
    link.label === 'Admin' ? { ...link, to: '/admin' } : link,
  )
}

export interface AdminTopBarProps {
  sidebarIsCollapsed: boolean
  onToggleSidebar: () => void
}

export function AdminTopBar({ sidebarIsCollapsed, onToggleSidebar }: AdminTopBarProps) {
  const logout = useLogout('/auth')
  const links = useLinks()
  const isEditor = useMay('editor')
  return (
    <header className={styles.bar}>
      <IconButton
        label="Toggle sidebar"
        aria-expanded={!sidebarIsCollapsed}
        aria-keyshortcuts="Control+B Meta+B"
        onClick={onToggleSidebar}
      >
        <IconLayoutSidebar />
      </IconButton>
      <p className={styles.title}>Admin Dashboard</p>
      {isEditor && <UploadChip />}
      <PaletteButton />
      <nav className={styles.links} aria-label="Main">
        {links.map(({ to, label }) => (
          <ScreenNavLink key={to} to={to} className={styles.link!}>
            {label}
          </ScreenNavLink>
        ))}
        <ScreenNavLink
          to="/profile"
          className={iconButtonClass('quiet')}
          aria-label="Profile"
          data-tooltip="Profile"
        >
          <IconUser />
        </ScreenNavLink>
      </nav>
      <span className={styles.menu}>
        <LinksMenu />
      </span>
      <IconButton label="Sign out" busy={logout.isPending} onClick={() => logout.mutate()}>
        <IconLogout />
      </IconButton>
    </header>
  )
}

function LinksMenu() {
  const navigate = useNavigate()
  const links = useLinks()
  return (
    <Menu
      label="Go to"
      trigger={
        <IconButton label="Go to">
          <IconDotsVertical />
        </IconButton>
      }
    >
      {[...links, { to: '/profile', label: 'Profile' }].map(({ to, label }) => (
        <MenuItem key={to} onSelect={() => void navigate(to)}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}
