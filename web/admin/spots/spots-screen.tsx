// /admin/spots: the owner's messages that free members hear or see between songs.
import { useState } from 'react'
import { maxSpots, type AdminSpot } from '#contract/admin/service/admin-spots.ts'
import { IconPlus } from '#web/base/ui/icons/icons.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { AdminPage } from '../shared/admin-page.tsx'
import { RulesForm } from './rules-form.tsx'
import { SpotDialog } from './spot-dialog.tsx'
import { useSpots } from './spot-queries.ts'
import { SpotTable } from './spot-table.tsx'
import styles from './spots-screen.module.css'

export function SpotsScreen() {
  const spots = useSpots()
  const [edited, setEdited] = useState<AdminSpot | 'new' | null>(null)
  const isFull = (spots.data?.data.length ?? 0) >= maxSpots
  const addButton = (
    <Button
      variant="primary"
      icon={<IconPlus />}
      disabled={isFull}
      onClick={() => setEdited('new')}
    >
      Add Spot
    </Button>
  )
  return (
    <AdminPage
      title="Spots"
      note="Your own messages between songs for free members. Premium members never get them."
      actions={addButton}
    >
      <div className={styles.screen}>
        <SpotTable spots={spots} addButton={addButton} onEdit={setEdited} />
        {spots.data && <RulesForm rules={spots.data.rules} />}
      </div>
      {edited !== null && (
        <SpotDialog spot={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
    </AdminPage>
  )
}
