// The links in the sidebar: icons with labels, or only icons.
import { ScreenNavLink } from '../../base/navigation/screen-link.tsx'
import { adminEntriesFor } from '../../base/navigation/admin-entries.tsx'
import { useSession } from '../../base/session/session.ts'
import styles from './admin-navigation.module.css'

export interface AdminNavigationProps {
  /** True to show only icons, with the labels as tooltips. */
  collapsed?: boolean
  onChoose?: () => void
}

export function AdminNavigation({ collapsed = false, onChoose }: AdminNavigationProps) {
  const { user } = useSession()
  return (
    <nav aria-label="Admin">
      <ul className={styles.entries}>
        {adminEntriesFor(user?.role ?? 'member').map(({ to, label, icon }) => (
          <li key={to}>
            <ScreenNavLink
              to={to}
              end={to === '/admin'}
              className={styles.entry!}
              aria-label={label}
              data-tooltip={collapsed ? label : undefined}
              onClick={onChoose}
            >
              <span className={styles.icon} aria-hidden="true">
                {icon}
              </span>
              <span className={styles.word}>{label}</span>
            </ScreenNavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
