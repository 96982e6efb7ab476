// /admin/releases/{id}: the details and tracks of a release.
import {
  IconArrowLeft,
  IconDownload,
  IconExternalLink,
  IconVinyl,
} from '#web/base/ui/icons/icons.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type FormEvent } from 'react'
import { useParams } from 'react-router'
import {
  exportRelease,
  updateRelease,
  type AdminReleaseDetail,
} from '#contract/admin/admin-releases.ts'
import { cleanUpc, isUpc } from '#contract/fields/upc.ts'
import { ApiError, call } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { useKeptFiles } from '../../base/forms/use-form-draft.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { useDocumentTitle } from '../../base/session/document-title.ts'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { EditNotes } from '../conflicts/edit-notes.tsx'
import { useVersionedForm } from '../conflicts/use-versioned-form.ts'
import { showReason } from '../shared/admin-failure.ts'
import { AdminPage } from '../shared/admin-page.tsx'
import { downloadFile } from '../shared/format/download-file.ts'
import formStyles from '../shared/dialog-form.module.css'
import { PressLinks } from '../shared/press-links.tsx'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { useCover, type KeptCover } from '../shared/use-cover.ts'
import { draftChanges, releaseForm, type ReleaseDraft } from './release-draft.ts'
import { ReleaseFields, type ReleaseProblems } from './release-fields.tsx'
import { ReleaseOrder } from './release-order.tsx'
import { useAdminRelease, usePublishRelease } from './release-queries.ts'
import styles from './release-screen.module.css'

const back = (
  <ButtonLink to="/admin/releases" variant="quiet" size="small" icon={<IconArrowLeft />}>
    Releases
  </ButtonLink>
)

export function ReleaseScreen() {
  const { id = '' } = useParams()
  const { data, error, isFetching, refetch } = useAdminRelease(id)
  // Treat a malformed id in the URL as a missing release.
  const isMissing =
    error instanceof ApiError && ['release_not_found', 'invalid_input'].includes(error.code)
  useDocumentTitle(data && `Edit ${data.title}`)
  if (data) return <ReleaseEditor key={data.id} release={data} isGone={isMissing} />
  if (isMissing) return <EmptyState icon={<IconVinyl />} title="Release not found" action={back} />
  if (error) {
    return (
      <ErrorState
        title="Failed to load the release"
        message={errorText(error)}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    )
  }
  return (
    <div className={styles.waiting} aria-busy="true">
      <Skeleton width="16rem" height="2.25rem" />
      <Skeleton height="20rem" />
    </div>
  )
}

const draftKey = ({ id }: AdminReleaseDetail) => `admin-release:${id}`

interface ReleaseEditorProps {
  release: AdminReleaseDetail
  /** Deleted while the form is open. */
  isGone: boolean
}

function ReleaseEditor({ release, isGone }: ReleaseEditorProps) {
  const cover = useCover(useKeptFiles<KeptCover>(draftKey(release)))
  const edit = useVersionedForm(draftKey(release), release, releaseForm, cover)
  const { form, setForm, isUnsaved } = edit
  const [problems, setProblems] = useState<ReleaseProblems>({})
  const titleInput = useRef<HTMLInputElement>(null)
  const saving = useSaveRelease(release, edit, cover)

  function save(event?: FormEvent) {
    event?.preventDefault()
    const found = findProblems(form)
    setProblems(found)
    const [first] = Object.values(found)
    if (first) {
      showToast({ tone: 'destructive', title: 'Error', message: first })
      if (found.title) titleInput.current?.focus()
    } else if (!saving.isPending && !isGone) saving.mutate()
  }

  return (
    <AdminPage
      title={form.title || 'Untitled'}
      back={back}
      note={
        <Badge tone={release.is_published ? 'success' : 'neutral'}>
          {release.is_published ? 'Published' : 'Draft'}
        </Badge>
      }
      actions={
        <>
          <span className={styles.hint} role="status">
            {isUnsaved && 'Remember to save changes'}
          </span>
          {release.is_published && (
            <ButtonLink
              to={`/releases/${release.slug}`}
              variant="quiet"
              icon={<IconExternalLink />}
            >
              View
            </ButtonLink>
          )}
          <ExportButton release={release} disabled={isGone} />
          <PublishButton release={release} disabled={isGone || isUnsaved} />
          <Button
            variant="primary"
            disabled={isGone}
            busy={saving.isPending}
            onClick={() => save()}
          >
            Save Changes
          </Button>
        </>
      }
    >
      <EditNotes edit={edit} gone={isGone ? 'This release was deleted.' : undefined} />
      <div className={styles.columns}>
        <Card title="Release Info">
          <form className={formStyles.form} noValidate onSubmit={save}>
            <ReleaseFields
              form={form}
              onChange={(changes) => setForm({ ...form, ...changes })}
              problems={problems}
              titleInput={titleInput}
              upload={cover.upload}
              current={release.has_own_cover ? release : noOwnCover(release)}
              removed={cover.isRemoved}
              onRemovedChange={cover.setIsRemoved}
            />
          </form>
          <PressLinks item={{ kind: 'release', item_id: release.id }} />
        </Card>
        <ReleaseOrder items={form.items} onChange={(items) => setForm({ ...form, items })} />
      </div>
    </AdminPage>
  )
}

function noOwnCover({ cover_tint, cover_placeholder }: AdminReleaseDetail) {
  return { cover_url: null, cover_tint, cover_placeholder }
}

function findProblems({ title, slug, upc }: ReleaseDraft): ReleaseProblems {
  return {
    ...(!title.trim() && { title: 'Title is required' }),
    ...(!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug) && {
      slug: 'An address has only a to z, 0 to 9 and hyphens',
    }),
    ...(upc.trim() && !isUpc(cleanUpc(upc)) && { upc: 'This is no valid UPC or EAN code' }),
  }
}

function ExportButton({ release, disabled }: { release: AdminReleaseDetail; disabled: boolean }) {
  const { id, slug } = release
  const exporting = useAdminMutation({
    run: () => downloadFile(exportRelease.path.replace(':id', id), {}, `${slug}.tar`),
    refresh: [],
    failed: (error) => showReason(error, 'Failed to export the release'),
  })
  return (
    <Button
      variant="quiet"
      icon={<IconDownload />}
      disabled={disabled}
      busy={exporting.isPending}
      onClick={() => exporting.mutate()}
    >
      Export
    </Button>
  )
}

function PublishButton({ release, disabled }: { release: AdminReleaseDetail; disabled: boolean }) {
  const queryClient = useQueryClient()
  const publishing = usePublishRelease(
    () => void queryClient.invalidateQueries({ queryKey: ['admin', 'draft', 'release'] }),
  )
  const { is_published, track_count } = release
  return (
    <Button
      disabled={disabled || (!is_published && track_count === 0)}
      busy={publishing.isPending}
      onClick={() => publishing.mutate({ release, isPublished: !is_published })}
    >
      {is_published ? 'Unpublish' : 'Publish'}
    </Button>
  )
}

function useSaveRelease(
  release: AdminReleaseDetail,
  edit: ReturnType<typeof useVersionedForm<AdminReleaseDetail, ReleaseDraft, KeptCover>>,
  cover: ReturnType<typeof useCover>,
) {
  const queryClient = useQueryClient()
  return useAdminMutation({
    async run() {
      const cover_path = await cover.path()
      return await edit.save(({ form: wanted, base, version }) =>
        call(updateRelease, {
          params: { id: release.id },
          body: { ...draftChanges(wanted, base), cover_path, version },
        }),
      )
    },
    refresh: ['releases', 'tracks'],
    done: 'Changes saved successfully',
    onDone(saved) {
      queryClient.setQueryData(['admin', 'draft', 'release', release.id], saved)
      edit.restart(saved)
    },
    failed: (error) => showReason(error, 'Failed to save changes'),
  })
}
