// The top bar of the back office: the button that collapses the sidebar, and links back to the listening side.
// In narrow windows the links move into a menu.
import {
  IconDotsVertical,
  IconLayoutSidebar,
  IconLogout,
  IconUser,
} from '#web/base/ui/icons/icons.ts'
import { useNavigate } from 'react-router'
import { useLogout } from '../../base/session/logout.ts'
import { ScreenNavLink } from '../../base/navigation/screen-link.tsx'
import { PaletteButton } from '../../features/palette/palette-button.tsx'
import { IconButton, iconButtonClass } from '../../base/ui/controls/icon-button.tsx'
import { Menu, MenuItem } from '../../base/ui/overlays/menu.tsx'
import styles from './admin-top-bar.module.css'
import { UploadChip } from '../uploads/upload-chip.tsx'

const links = [
  { to: '/browse', label: 'Browse' },
  { to: '/my-playlists', label: 'My Playlists' },
  { to: '/subscribe', label: 'Subscribe' },
  { to: '/admin', label: 'Admin' },
]

export interface AdminTopBarProps {
  sidebarIsCollapsed: boolean
  onToggleSidebar: () => void
}

export function AdminTopBar({ sidebarIsCollapsed, onToggleSidebar }: AdminTopBarProps) {
  const logout = useLogout('/auth')
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
      <UploadChip />
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
