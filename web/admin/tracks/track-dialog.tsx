// Dialog to add or edit a track: the form, upload progress, and processing state.
import { Fragment, useId, useState } from 'react'
import { ApiError } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { useItemReview } from '../reviews/review-queries.ts'
import { useSession } from '../../base/session/session.ts'
import { useMay } from '../../base/session/use-may.ts'
import { useSite } from '../../base/session/site.ts'
import { IconMusic } from '#web/base/ui/icons/icons.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { FormButtons } from '../../base/ui/overlays/form-buttons.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { useFailureToast } from '../shared/lists/data-table.tsx'
import styles from './track-dialog.module.css'
import { EditTrackForm, NewTrackForm } from './track-forms.tsx'
import { useAdminTrack } from '../track-data/track-queries.ts'
import { OriginSection } from './origins/origin-section.tsx'
import type { TrackVariant } from './track-variant.ts'
import { VersionsSection } from './versions-section.tsx'

export interface TrackDialogProps {
  open: boolean
  /** Id of the track to edit. Null to add one. */
  id: string | null
  variant: TrackVariant
  onClose: () => void
}

export function TrackDialog({ open, id: wantedId, variant, onClose }: TrackDialogProps) {
  // Keeps the content unchanged while the dialog closes.
  const [id, setId] = useState(wantedId)
  if (open && id !== wantedId) setId(wantedId)
  const { data: track, error, isFetching, refetch } = useAdminTrack(open ? id : null)
  // If the id in the URL is malformed, say that the track doesn't exist.
  const isMissing =
    error instanceof ApiError && ['track_not_found', 'invalid_input'].includes(error.code)
  useFailureToast(isMissing ? null : error, variant.loadFailed)
  const { artist_name } = useSite()
  const formId = useId()
  const isEditor = useMay('editor')
  const { user } = useSession()
  const review = useItemReview(track)
  const [isSaving, setIsSaving] = useState(false)
  const isAbsent = isMissing && !track
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="large"
      title={isAbsent ? 'Track not found' : id ? 'Edit Track' : 'Add Track'}
      footer={
        isAbsent ? (
          <Button onClick={onClose}>Back to Library</Button>
        ) : (
          <FormButtons
            form={formId}
            label={id ? 'Save Changes' : 'Add Track'}
            busy={isSaving}
            disabled={id !== null && (!track || isMissing || review.isLocked)}
            onCancel={onClose}
          />
        )
      }
    >
      {id === null ? (
        <NewTrackForm
          {...{ formId, variant }}
          // The default artist is the service. A creator's own tracks have the creator's name.
          artistName={isEditor ? artist_name : (user?.display_name ?? '')}
          onSavingChange={setIsSaving}
          onSaved={onClose}
        />
      ) : track ? (
        // The key gives each track a new form.
        <Fragment key={id}>
          <EditTrackForm
            {...{ formId, variant, track }}
            isDeleted={isMissing}
            onSavingChange={setIsSaving}
            onSaved={onClose}
          />
          {!isMissing && isEditor && <VersionsSection trackId={id} />}
          {!isMissing && <OriginSection trackId={id} />}
        </Fragment>
      ) : isAbsent ? (
        <EmptyState
          icon={<IconMusic />}
          title="Track not found"
          message="This track was deleted, or the address is incorrect."
        />
      ) : error ? (
        <ErrorState
          title={variant.failedTitle}
          message={errorText(error)}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <div className={styles.form} aria-busy="true">
          {Array.from({ length: 5 }, (_, index) => (
            <Skeleton key={index} height="4.25rem" />
          ))}
        </div>
      )}
    </Dialog>
  )
}
