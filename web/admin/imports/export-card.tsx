// Card with a button that downloads the whole catalogue.
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
    done: 'Download started',
    failed: 'Failed to export the catalogue',
  })
  return (
    <Card
      title="Export your catalogue"
      description="One zip file with your original recordings, covers, lyrics, credits, releases and playlists, and lists for spreadsheets and players. Another Velour can import it as is. It includes your private notes on how songs were made, and no member data."
    >
      <div className={styles.actions}>
        <Button icon={<IconDownload />} busy={download.isPending} onClick={() => download.mutate()}>
          Export Catalogue
        </Button>
      </div>
    </Card>
  )
}
