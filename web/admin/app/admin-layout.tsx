// The back-office layout: sidebar, top bar and screen. If the user's role has no access to a screen, shows
// ForbiddenScreen instead. The server also rejects the requests of such a screen.
import { useState } from 'react'
import { Navigate, Outlet, useLocation, useMatches } from 'react-router'
import { SecondFactorSlot } from './second-factor-slot.tsx'
import { useSession } from '../../base/session/session.ts'
import { Sheet } from '../../base/ui/overlays/sheet.tsx'
import { useMay } from '../../base/session/use-may.ts'
import { officeLink } from '../../base/navigation/navigation-links.ts'
import { strictestAccess } from '../../base/navigation/screen.ts'
import { ReviewNotice } from '../reviews/review-notice.tsx'
import { ForbiddenScreen } from './forbidden-screen.tsx'
import { AdminNavigation } from './admin-navigation.tsx'
import { AdminTopBar } from './admin-top-bar.tsx'
import { ConflictDialog } from '../conflicts/conflict-dialog.tsx'
import { DiskNotice } from '../system/disk-notice.tsx'
import styles from './admin-layout.module.css'
import { useSidebar } from './sidebar-state.ts'

export function AdminLayout() {
  const sidebar = useSidebar()
  const { user } = useSession()
  const isAdmin = useMay('admin')
  const [isSettingUp, setSettingUp] = useState(false)
  // Keep the setup page until its dialog with the recovery codes is closed: two-factor is already enabled by then.
  const isFactorMissing = user && (user.second_factor_required || isSettingUp)
  return (
    <div className={styles.layout} data-collapsed={sidebar.collapsed || undefined}>
      <div className={styles.sidebar}>
        <p className={styles.title}>Admin Panel</p>
        <AdminNavigation collapsed={sidebar.collapsed} />
      </div>
      <div className={styles.drawer}>
        <Sheet
          open={sidebar.drawerIsOpen}
          onClose={sidebar.closeDrawer}
          side="left"
          title="Admin Panel"
        >
          <AdminNavigation onChoose={sidebar.closeDrawer} />
        </Sheet>
      </div>
      <div className={styles.column}>
        <AdminTopBar sidebarIsCollapsed={sidebar.collapsed} onToggleSidebar={sidebar.toggle} />
        {isFactorMissing ? (
          <div className={styles.screen}>
            <SecondFactorSlot profile={user} isSettingUp={isSettingUp} onSettingUp={setSettingUp} />
          </div>
        ) : (
          <>
            {isAdmin && <DiskNotice />}
            {user?.role === 'creator' && <ReviewNotice />}
            <div className={styles.screen}>
              <AllowedOutlet />
            </div>
          </>
        )}
      </div>
      <ConflictDialog />
    </div>
  )
}

function AllowedOutlet() {
  const access = strictestAccess(useMatches().map(({ handle }) => handle))
  const isAllowed = useMay(access)
  const { pathname } = useLocation()
  const { user } = useSession()
  const role = user?.role ?? 'member'
  if (isAllowed) return <Outlet />
  // Only admins can open the overview. Other roles start at their first screen.
  const start = officeLink(role)
  if (pathname === '/admin' && start) return <Navigate to={start.to} replace />
  return <ForbiddenScreen role={role} access={access === 'editor' ? 'editor' : 'admin'} />
}
