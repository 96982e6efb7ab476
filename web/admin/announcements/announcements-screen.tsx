// /admin/announcements: mails to members who agreed, and addresses that get no news any more.
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
      note="Mails to members who agreed to them in their profile. Notices about the terms are no announcements: they are in the tab Legal of the settings."
      actions={writeButton}
    >
      <div className={styles.screen}>
        <AnnouncementTable writeButton={writeButton} onEdit={setEdited} />
        {/* Wait for the table above: it changes its height when its rows load. */}
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
