// /admin/releases/{id}: edits the details and tracks of a release.
import {
  IconArrowLeft,
  IconDisc,
  IconDownload,
  IconExternalLink,
  IconVinyl,
} from '#web/base/ui/icons/icons.ts'
import { useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useParams } from 'react-router'
import {
  exportRelease,
  updateRelease,
  type AdminReleaseDetail,
} from '#contract/admin/admin-releases.ts'
import { listAdminTracks } from '#contract/admin/admin-tracks.ts'
import { cleanUpc, isUpc } from '#contract/fields/upc.ts'
import { call } from '../../base/api/api.ts'
import { useKeptFiles } from '../../base/forms/use-form-draft.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { useMay } from '../../base/session/use-may.ts'
import { ReviewButton } from '../reviews/review-button.tsx'
import { ReviewNote } from '../reviews/review-note.tsx'
import { useItemReview } from '../reviews/review-queries.ts'
import { AvailabilityBadge } from '../availability/availability-badge.tsx'
import { useVersionedForm } from '../conflicts/use-versioned-form.ts'
import { OwnerLine } from '../owners/owner-line.tsx'
import { showReason } from '../shared/admin-failure.ts'
import { downloadFile } from '../shared/format/download-file.ts'
import { PressLinks } from '../shared/press-links.tsx'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { useCover, type DraftCover } from '../shared/use-cover.ts'
import { isMissingList, ListEditor, OpenList } from '../track-order/list-editor.tsx'
import { TrackOrder } from '../track-order/track-order.tsx'
import {
  addDisc,
  addToDraft,
  draftChanges,
  releaseForm,
  type DraftTrack,
  type ReleaseDraft,
} from './release-draft.ts'
import { ReleaseFields, type ReleaseProblems } from './release-fields.tsx'
import { useAdminRelease, usePublishRelease } from './release-queries.ts'

const back = (
  <ButtonLink to="/admin/releases" variant="quiet" size="small" icon={<IconArrowLeft />}>
    Releases
  </ButtonLink>
)

export function ReleaseScreen() {
  const { id = '' } = useParams()
  const query = useAdminRelease(id)
  const isMissing = isMissingList(query.error, 'release_not_found')
  return (
    <OpenList
      query={query}
      isMissing={isMissing}
      noun="Release"
      icon={<IconVinyl />}
      back={back}
      failedTitle="Failed to load the release"
    >
      {(release) => <ReleaseEditor key={release.id} release={release} isDeleted={isMissing} />}
    </OpenList>
  )
}

const draftKey = ({ id }: AdminReleaseDetail) => `admin-release:${id}`

interface ReleaseEditorProps {
  release: AdminReleaseDetail
  /** True if the release has been deleted since the form was opened. */
  isDeleted: boolean
}

function ReleaseEditor({ release, isDeleted }: ReleaseEditorProps) {
  const cover = useCover(useKeptFiles<DraftCover>(draftKey(release)))
  const edit = useVersionedForm(draftKey(release), release, releaseForm, cover)
  const { form, setForm, isUnsaved } = edit
  const { form: element, problems, showProblems } = useProblems<ReleaseProblems>()
  const saving = useSaveRelease(release, edit, cover)
  const isAdmin = useMay('admin')
  const review = useItemReview(release)

  function save(event?: FormEvent) {
    event?.preventDefault()
    const found = findProblems(form)
    const [first] = Object.values(found)
    if (showProblems(found)) showToast({ tone: 'destructive', title: 'Error', message: first })
    else if (!saving.isPending && !isDeleted) saving.mutate()
  }

  return (
    <ListEditor
      noun="Release"
      title={form.title}
      back={back}
      note={
        <>
          <ReleaseState release={release} />
          <ReviewNote item={release} kind="release" />
        </>
      }
      edit={edit}
      isDeleted={isDeleted}
      isLocked={review.isLocked}
      isSaving={saving.isPending}
      onSave={save}
      formRef={element}
      actions={<Actions {...{ release, isDeleted, isUnsaved }} />}
      fields={
        <ReleaseFields
          form={form}
          onChange={(changes) => setForm({ ...form, ...changes })}
          problems={problems}
          isPublished={release.is_published}
          upload={cover.upload}
          current={release.has_own_cover ? release : noOwnCover(release)}
          removed={cover.isRemoved}
          onRemovedChange={cover.setIsRemoved}
        />
      }
      more={
        isAdmin && (
          <>
            <OwnerLine kind="release" id={release.id} title={release.title} />
            <PressLinks item={{ kind: 'release', item_id: release.id }} />
          </>
        )
      }
    >
      <TrackOrder
        items={form.items}
        onChange={(items) => setForm({ ...form, items })}
        onAdd={(track) => setForm({ ...form, items: addToDraft(form.items, track) })}
        find={findTracks}
        source="Release"
        emptyTitle="No tracks on this release yet"
        part="Disc"
        renderMarks={(track) => <AvailabilityBadge item={track} />}
      >
        <Button
          size="small"
          variant="quiet"
          icon={<IconDisc />}
          onClick={() => setForm({ ...form, items: addDisc(form.items) })}
        >
          Add Disc
        </Button>
      </TrackOrder>
    </ListEditor>
  )
}

/** Searches tracks in every state, including unpublished ones. */
async function findTracks(q: string): Promise<DraftTrack[]> {
  return (await call(listAdminTracks, { query: { q, page_size: 100 } })).data
}

function ReleaseState({ release }: { release: AdminReleaseDetail }) {
  const { is_published, release_at } = release
  return (
    <>
      {release_at === null && (
        <Badge tone={is_published ? 'success' : 'neutral'}>
          {is_published ? 'Published' : 'Draft'}
        </Badge>
      )}{' '}
      <AvailabilityBadge item={release} />
    </>
  )
}

interface ActionsProps extends ReleaseEditorProps {
  isUnsaved: boolean
}

function Actions({ release, isDeleted, isUnsaved }: ActionsProps) {
  const isEditor = useMay('editor')
  return (
    <>
      {release.is_published && (
        <ButtonLink to={`/releases/${release.slug}`} variant="quiet" icon={<IconExternalLink />}>
          View
        </ButtonLink>
      )}
      {isEditor ? (
        <>
          <ExportButton release={release} disabled={isDeleted} />
          <PublishButton release={release} disabled={isDeleted || isUnsaved} />
        </>
      ) : (
        <ReviewButton item={release} kind="release" disabled={isDeleted || isUnsaved} />
      )}
    </>
  )
}

function noOwnCover({ cover_tint, cover_placeholder }: AdminReleaseDetail) {
  return { cover_url: null, cover_tint, cover_placeholder }
}

function findProblems({ title, slug, upc }: ReleaseDraft): ReleaseProblems {
  return {
    ...(!title.trim() && { title: 'Title is required' }),
    ...(!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug) && {
      slug: 'Use only lowercase letters a to z, digits and hyphens',
    }),
    ...(upc.trim() && !isUpc(cleanUpc(upc)) && { upc: 'Enter a valid UPC or EAN code' }),
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
  const { is_published, release_at, track_count } = release
  const publish = release_at ? 'Publish Now' : 'Publish'
  return (
    <Button
      disabled={disabled || (!is_published && track_count === 0)}
      busy={publishing.isPending}
      onClick={() => publishing.mutate({ release, isPublished: !is_published })}
    >
      {is_published ? 'Unpublish' : publish}
    </Button>
  )
}

function useSaveRelease(
  release: AdminReleaseDetail,
  edit: ReturnType<typeof useVersionedForm<AdminReleaseDetail, ReleaseDraft, DraftCover>>,
  cover: ReturnType<typeof useCover>,
) {
  const queryClient = useQueryClient()
  return useAdminMutation({
    async run() {
      const cover_path = await cover.path()
      return await edit.save(({ form: wanted, base, version }) =>
        call(updateRelease, {
          params: { id: release.id },
          body: { ...draftChanges(wanted, base, release.is_published), cover_path, version },
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
