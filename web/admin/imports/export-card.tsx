// Downloads the whole catalogue.
import { IconDownload } from '#web/base/ui/icons/icons.ts'
import { exportCatalogue } from '#contract/admin/catalogue-export.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { downloadFile } from '../shared/format/download-file.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import styles from './imports-screen.module.css'

export function ExportCard() {
  const download = useAdminMutation({
    run: () => downloadFile(exportCatalogue.path, {}, 'catalogue.zip'),
    refresh: [],
    done: 'The download has begun',
    failed: 'Failed to export the catalogue',
  })
  return (
    <Card
      title="Take everything with you"
      description="One zip file with your recordings as you uploaded them, covers, lyrics, credits, releases and playlists, and lists for spreadsheets and players. Another Velour imports it as it is. It holds your private notes on how songs were made, and nothing of your members."
    >
      <div className={styles.actions}>
        <Button icon={<IconDownload />} busy={download.isPending} onClick={() => download.mutate()}>
          Export everything
        </Button>
      </div>
    </Card>
  )
}
