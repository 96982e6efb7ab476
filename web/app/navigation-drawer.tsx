// The navigation in narrow windows: the same links, plus Profile and Logout as text.
import {
  IconCompass,
  IconCrown,
  IconLogin2,
  IconLogout,
  IconPlaylist,
  IconSettings,
  IconUser,
} from '#web/base/ui/icons/icons.ts'
import type { ReactNode } from 'react'
import { ColorSchemeSwitch } from '../base/ui/theme/color-scheme-switch.tsx'
import { Sheet } from '../base/ui/overlays/sheet.tsx'
import { useLogout } from '../base/session/logout.ts'
import styles from './navigation-drawer.module.css'
import { navigationLinks } from '../base/navigation/navigation-links.ts'
import { ScreenNavLink } from '../base/navigation/screen-link.tsx'
import { useSession } from '../base/session/session.ts'
import { useSite } from '../base/session/site.ts'

const icons: Record<string, ReactNode> = {
  '/browse': <IconCompass />,
  '/my-playlists': <IconPlaylist />,
  '/subscribe': <IconCrown />,
  '/admin/library': <IconSettings />,
  '/profile': <IconUser />,
  '/auth': <IconLogin2 />,
}

export interface NavigationDrawerProps {
  open: boolean
  onClose: () => void
}

export function NavigationDrawer({ open, onClose }: NavigationDrawerProps) {
  const { brand_name } = useSite()
  const session = useSession()
  const logout = useLogout()
  const links =
    session.status === 'signed-in'
      ? [...navigationLinks(session.user.role), { to: '/profile', label: 'Profile' }]
      : [{ to: '/auth', label: 'Sign In' }]
  return (
    <Sheet
      open={open}
      onClose={onClose}
      side="left"
      title={brand_name}
      footer={<ColorSchemeSwitch />}
    >
      <nav aria-label="Main">
        <ul className={styles.links}>
          {links.map(({ to, label }) => (
            <li key={to}>
              <ScreenNavLink to={to} className={styles.link!} onClick={onClose}>
                {icons[to]}
                {label}
              </ScreenNavLink>
            </li>
          ))}
          {session.status === 'signed-in' && (
            <li>
              <button
                type="button"
                className={styles.link}
                aria-busy={logout.isPending || undefined}
                onClick={() => logout.mutate(undefined, { onSuccess: onClose })}
              >
                <IconLogout />
                Logout
              </button>
            </li>
          )}
        </ul>
      </nav>
    </Sheet>
  )
}
