// The layout of the back office: sidebar, top bar and screen. Access is checked by the route
// table (`access: 'admin'`) and again by the server on every call.
import { useState } from 'react'
import { Outlet } from 'react-router'
import { SecondFactorSlot } from './second-factor-slot.tsx'
import { useSession } from '../../base/session/session.ts'
import { Sheet } from '../../base/ui/overlays/sheet.tsx'
import { AdminNavigation } from './admin-navigation.tsx'
import { AdminTopBar } from './admin-top-bar.tsx'
import { ConflictDialog } from '../conflicts/conflict-dialog.tsx'
import { DiskNotice } from '../system/disk-notice.tsx'
import styles from './admin-layout.module.css'
import { useSidebar } from './sidebar-state.ts'

export function AdminLayout() {
  const sidebar = useSidebar()
  const { user } = useSession()
  const [isSettingUp, setSettingUp] = useState(false)
  // Two-factor is enabled before its recovery codes are shown, so keep this page until the dialog closes.
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
            <DiskNotice />
            <div className={styles.screen}>
              <Outlet />
            </div>
          </>
        )}
      </div>
      <ConflictDialog />
    </div>
  )
}
