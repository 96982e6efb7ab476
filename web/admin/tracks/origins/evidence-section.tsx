// Files that document how a track was made, such as receipts, screenshots and license terms. They are added and deleted
// immediately, not when the form is saved.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { IconDownload, IconTrash, IconUpload } from '#web/base/ui/icons/icons.ts'
import { useRef, useState } from 'react'
import {
  addTrackEvidence,
  deleteTrackEvidence,
  downloadTrackEvidence,
  listTrackEvidence,
  type TrackEvidence,
} from '#contract/admin/track-evidence.ts'
import { evidenceMimes, maxEvidence } from '#contract/fields/evidence.ts'
import { call } from '../../../base/api/api.ts'
import { errorText } from '../../../base/api/show-error.ts'
import { formatDay } from '../../../base/format/format-day.ts'
import { Button } from '../../../base/ui/controls/button.tsx'
import { IconButton } from '../../../base/ui/controls/icon-button.tsx'
import { ErrorState } from '../../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../../base/ui/display/skeleton.tsx'
import { ConfirmDialog } from '../../../base/ui/overlays/confirm-dialog.tsx'
import { uploadFile } from '../../../base/upload/upload-file.ts'
import { showReason } from '../../shared/admin-failure.ts'
import { formatBytes } from '../../shared/format/format-bytes.ts'
import { useAdminMutation } from '../../shared/use-admin-mutation.ts'
import styles from './evidence-section.module.css'

const evidenceKey = (trackId: string) => ['admin', 'draft', 'evidence', trackId]

export function EvidenceSection({ trackId }: { trackId: string }) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: evidenceKey(trackId),
    queryFn: async ({ signal }) =>
      (await call(listTrackEvidence, { params: { id: trackId } }, { signal })).data,
  })
  return (
    <section className={styles.section} aria-labelledby={`evidence-${trackId}`}>
      <h3 id={`evidence-${trackId}`} className={styles.heading}>
        Evidence
      </h3>
      <p className={styles.hint}>
        Receipts, screenshots or terms that show how this track was made. PDF, images or text, up to
        20 MB each, stored unchanged.
      </p>
      {data ? (
        <EvidenceList trackId={trackId} files={data} />
      ) : error ? (
        <ErrorState
          title="Failed to load the evidence"
          message={errorText(error)}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <Skeleton height="3rem" />
      )}
    </section>
  )
}

function EvidenceList({ trackId, files }: { trackId: string; files: readonly TrackEvidence[] }) {
  const [pendingDelete, setPendingDelete] = useState<TrackEvidence | null>(null)
  const queryClient = useQueryClient()
  const keep = (change: (present: TrackEvidence[]) => TrackEvidence[]) =>
    queryClient.setQueryData<TrackEvidence[]>(evidenceKey(trackId), (present = []) =>
      change(present),
    )
  const deletion = useAdminMutation<TrackEvidence>({
    run: ({ id }) => call(deleteTrackEvidence, { params: { id: trackId, evidence_id: id } }),
    refresh: [],
    done: 'Evidence deleted',
    onDone(_, { id }) {
      setPendingDelete(null)
      keep((present) => present.filter((file) => file.id !== id))
    },
    failed: (error) => showReason(error, 'Failed to delete the evidence'),
  })
  return (
    <>
      {files.length > 0 && (
        <ul className={styles.list} aria-label="Evidence files">
          {files.map((file) => (
            <EvidenceRow
              key={file.id}
              trackId={trackId}
              file={file}
              onDelete={() => setPendingDelete(file)}
            />
          ))}
        </ul>
      )}
      <AddEvidence
        trackId={trackId}
        isFull={files.length >= maxEvidence}
        onAdded={(file) => keep((present) => [...present, file])}
      />
      <ConfirmDialog
        open={pendingDelete !== null}
        title="Delete Evidence"
        message={`“${pendingDelete?.filename ?? ''}” will be permanently deleted. This action cannot be undone.`}
        confirmLabel="Delete"
        busy={deletion.isPending}
        onConfirm={() => pendingDelete && deletion.mutate(pendingDelete)}
        onCancel={() => setPendingDelete(null)}
      />
    </>
  )
}

interface EvidenceRowProps {
  trackId: string
  file: TrackEvidence
  onDelete: () => void
}

function EvidenceRow({ trackId, file, onDelete }: EvidenceRowProps) {
  const { id, filename, byte_size, created_at } = file
  const address = downloadTrackEvidence.path.replace(':id', trackId).replace(':evidence_id', id)
  return (
    <li className={styles.row}>
      <a href={address} download={filename} className={styles.name}>
        <IconDownload aria-hidden="true" />
        <span>{filename}</span>
      </a>
      <span className={styles.facts}>
        {formatBytes(byte_size)} · {formatDay(created_at)}
      </span>
      <IconButton label={`Delete ${filename}`} onClick={onDelete}>
        <IconTrash />
      </IconButton>
    </li>
  )
}

interface AddEvidenceProps {
  trackId: string
  isFull: boolean
  onAdded: (file: TrackEvidence) => void
}

function AddEvidence({ trackId, isFull, onAdded }: AddEvidenceProps) {
  const input = useRef<HTMLInputElement>(null)
  const adding = useAdminMutation<File, TrackEvidence>({
    run: async (file) => {
      const path = await uploadFile(file, { bucket: 'evidence' })
      return call(addTrackEvidence, { params: { id: trackId }, body: { path } })
    },
    refresh: [],
    done: 'Evidence added',
    onDone: onAdded,
    failed: (error) => showReason(error, 'Failed to add the evidence'),
  })
  return (
    <div>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Evidence file"
        accept={evidenceMimes.join(',')}
        onChange={({ target }) => {
          const file = target.files?.[0]
          target.value = ''
          if (file) adding.mutate(file)
        }}
      />
      <Button
        icon={<IconUpload />}
        disabled={isFull}
        busy={adding.isPending}
        onClick={() => input.current?.click()}
      >
        Add Evidence
      </Button>
      {isFull && <p className={styles.hint}>A track has at most {maxEvidence} files.</p>}
    </div>
  )
}
