// /admin/library/upload: uploads hundreds of files at once, and then edits the tracks that they became.
import { IconArrowLeft, IconFolderUp } from '#web/base/ui/icons/icons.ts'
import { useEffect, useState } from 'react'
import { useMay } from '../../base/session/use-may.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { Tabs } from '../../base/ui/layout/tabs.tsx'
import { ProposalsPanel } from '../releases/proposals-panel.tsx'
import { VersionsPanel } from './version-proposals.tsx'
import { AdminPage } from '../shared/admin-page.tsx'
import { BatchEditor } from './batch-editor.tsx'
import { useImportedTracks } from './batch-queries.ts'
import { UploadChooser } from './upload-chooser.tsx'
import { UploadDropZone } from './upload-drop-zone.tsx'
import { UploadList } from './upload-list.tsx'
import { useUploadStore } from './queue/upload-store.ts'
import { computeUploadTotals } from './queue/upload-totals.ts'
import { Notice, UploadSummary } from './upload-summary.tsx'
import styles from './uploads-screen.module.css'

export function UploadsScreen() {
  const isEditor = useMay('editor')
  const phase = useUploadStore((state) => state.phase)
  const isEmpty = useUploadStore(({ items }) => items.length === 0)
  return (
    <AdminPage
      title="Bulk upload"
      note="Uploads three files at a time. Each becomes a draft named after its tags or file name."
      back={
        <ButtonLink
          variant="quiet"
          size="small"
          to={isEditor ? '/admin/library' : '/admin/tracks'}
          icon={<IconArrowLeft />}
        >
          {isEditor ? 'Library' : 'Tracks'}
        </ButtonLink>
      }
      actions={phase === 'ready' && !isEmpty && <UploadChooser />}
    >
      {phase === 'starting' ? (
        <Skeleton height="16rem" />
      ) : phase === 'elsewhere' ? (
        <Notice>
          Another window of this browser is uploading. Its list is shown there; the upload continues
          here when you close that window.
        </Notice>
      ) : isEmpty ? (
        <div className={styles.invitation}>
          <EmptyState
            icon={<IconFolderUp />}
            title="Drop files or folders here"
            message="MP3, WAV, FLAC, M4A, AAC, Ogg and AIFF, up to 2 GB each and 2,000 files per upload."
            action={<UploadChooser isMain />}
          />
        </div>
      ) : (
        <Uploads />
      )}
      {phase === 'ready' && <UploadDropZone />}
    </AdminPage>
  )
}

function Uploads() {
  const isEditor = useMay('editor')
  const batch = useUploadStore(({ items }) => items.at(-1)?.batch ?? '')
  const fileCount = useUploadStore(({ items }) => items.length)
  const arrivedCount = useUploadStore(
    ({ items }) => items.filter(({ stage }) => stage === 'arrived').length,
  )
  // Suggest releases only when all files are uploaded. A release created earlier would lack the remaining tracks.
  const isFilling = useUploadStore((view) => computeUploadTotals(view).movingCount > 0)
  const imported = useImportedTracks(batch)
  const { refetch } = imported
  // Also refetch when an upload completes, in case live events don't arrive.
  useEffect(() => {
    if (arrivedCount > 0) void refetch()
  }, [arrivedCount, refetch])
  const rows = imported.data?.data ?? []
  const tracks = new Map(rows.map((track) => [track.id, track]))
  const [tab, setTab] = useState('files')
  return (
    <div className={styles.uploads}>
      <UploadSummary />
      {rows.length > 0 && !isFilling && <ProposalsPanel batch={batch} />}
      {isEditor && rows.length > 0 && !isFilling && <VersionsPanel batch={batch} />}
      <Tabs
        label="Upload"
        value={tab}
        onChange={setTab}
        tabs={[
          {
            id: 'files',
            label: formatCount(fileCount, 'file', 'files'),
            panel: <UploadList tracks={tracks} />,
          },
          {
            id: 'details',
            label:
              rows.length === 0
                ? 'Details'
                : `Details of ${formatCount(rows.length, 'track', 'tracks')}`,
            panel: <BatchEditor batch={batch} query={imported} />,
          },
        ]}
      />
    </div>
  )
}
