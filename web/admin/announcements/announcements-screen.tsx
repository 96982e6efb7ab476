// /admin/announcements: emails to members who opted in, and the addresses that no longer receive them.
import { useState } from 'react'
import type { Announcement } from '#contract/announcements.ts'
import { IconPlus } from '#web/base/ui/icons/icons.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { AdminPage } from '../shared/admin-page.tsx'
import { AnnouncementDialog } from './announcement-dialog.tsx'
import { useAnnouncements } from './announcement-queries.ts'
import { AnnouncementTable } from './announcement-table.tsx'
import styles from './announcements-screen.module.css'
import { SuspendedAddresses } from './suspended-addresses.tsx'

export function AnnouncementsScreen() {
  const isTableLoading = useAnnouncements(1).isPending
  const [edited, setEdited] = useState<Announcement | 'new' | null>(null)
  const writeButton = (
    <Button variant="primary" icon={<IconPlus />} onClick={() => setEdited('new')}>
      Write Announcement
    </Button>
  )
  return (
    <AdminPage
      title="Announcements"
      note="Emails to members who opted in under Profile. To notify members about new terms, use Legal in System Settings."
      actions={writeButton}
    >
      <div className={styles.screen}>
        <AnnouncementTable writeButton={writeButton} onEdit={setEdited} />
        {/* Rendered after the table above has loaded, so that the table's rows don't push it down. */}
        {!isTableLoading && <SuspendedAddresses />}
      </div>
      {edited !== null && (
        <AnnouncementDialog
          announcement={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
    </AdminPage>
  )
}
