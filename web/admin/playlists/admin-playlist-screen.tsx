// /admin/playlists/{id}: the details and tracks of a curated playlist.
import { IconArrowLeft, IconPlaylist } from '#web/base/ui/icons/icons.ts'
import type { FormEvent } from 'react'
import { useParams } from 'react-router'
import { useQueryClient } from '@tanstack/react-query'
import type { AdminPlaylistDetail } from '#contract/admin/admin-playlists.ts'
import { ApiError } from '../../base/api/api.ts'
import { useDocumentTitle } from '../../base/session/document-title.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { errorText } from '../../base/api/show-error.ts'
import { useKeptFiles } from '../../base/forms/use-form-draft.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { sendInParts } from '../../features/catalogue/queries/track-changes-between.ts'
import { AvailabilityBadge } from '../availability/availability-badge.tsx'
import { showReason } from '../shared/admin-failure.ts'
import { AdminPage } from '../shared/admin-page.tsx'
import { EditNotes } from '../conflicts/edit-notes.tsx'
import { useVersionedForm } from '../conflicts/use-versioned-form.ts'
import { useFailureToast } from '../shared/lists/data-table.tsx'
import formStyles from '../shared/dialog-form.module.css'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { useCover, type KeptCover } from '../shared/use-cover.ts'
import { changePlaylists, useAdminPlaylist } from './admin-playlist-queries.ts'
import styles from './admin-playlist-screen.module.css'
import { draftChanges, playlistForm } from './playlist-draft.ts'
import { PlaylistFields } from './playlist-fields.tsx'
import { PlaylistTracks } from './playlist-tracks.tsx'

const back = (
  <ButtonLink to="/admin/playlists" variant="quiet" size="small" icon={<IconArrowLeft />}>
    Playlists
  </ButtonLink>
)

export function AdminPlaylistScreen() {
  const { id = '' } = useParams()
  const { data, error, isFetching, refetch } = useAdminPlaylist(id)
  // Treat a malformed id in the URL as a missing playlist.
  const isMissing =
    error instanceof ApiError && ['playlist_not_found', 'invalid_input'].includes(error.code)
  useFailureToast(isMissing ? null : error, (reason) =>
    showReason(reason, 'Failed to fetch playlist details'),
  )
  useDocumentTitle(data && `Edit ${data.title}`)
  if (data) return <PlaylistEditor key={data.id} playlist={data} isGone={isMissing} />
  if (isMissing) {
    return <EmptyState icon={<IconPlaylist />} title="Playlist not found" action={back} />
  }
  if (error) {
    return (
      <ErrorState
        title="Failed to fetch playlist details"
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

const draftKey = ({ id }: AdminPlaylistDetail) => `admin-playlist:${id}`

interface PlaylistEditorProps {
  playlist: AdminPlaylistDetail
  /** Deleted while the form is open. */
  isGone: boolean
}

function PlaylistEditor({ playlist, isGone }: PlaylistEditorProps) {
  const cover = useCover(useKeptFiles<KeptCover>(draftKey(playlist)))
  const edit = usePlaylistForm(playlist, cover)
  const { form, setForm, isUnsaved } = edit
  const { form: element, problems, showProblems } = useProblems<{ title: string }>()
  const saving = useSavePlaylist(playlist, edit, cover)

  function save(event?: FormEvent) {
    event?.preventDefault()
    const title = form.title.trim() ? undefined : 'Title is required'
    if (showProblems({ title })) showToast({ tone: 'destructive', title: 'Error', message: title })
    else if (!saving.isPending && !isGone) saving.mutate()
  }

  return (
    <AdminPage
      title={form.title || 'Untitled'}
      back={back}
      note={
        <>
          <Badge tone={playlist.is_visible ? 'success' : 'neutral'}>
            {playlist.is_visible ? 'Visible to members' : 'Hidden from members'}
          </Badge>{' '}
          <AvailabilityBadge item={playlist} />
        </>
      }
      actions={
        <>
          <span className={styles.hint} role="status">
            {isUnsaved && 'Remember to save changes'}
          </span>
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
      <EditNotes edit={edit} gone={isGone ? 'This playlist was deleted.' : undefined} />
      <div className={styles.columns}>
        <Card title="Playlist Info">
          <form ref={element} className={formStyles.form} noValidate onSubmit={save}>
            <PlaylistFields
              form={form}
              onChange={(changes) => setForm({ ...form, ...changes })}
              titleError={problems.title}
              isVisible={playlist.is_visible}
              upload={cover.upload}
              current={playlist}
              removed={cover.isRemoved}
              onRemovedChange={cover.setIsRemoved}
            />
          </form>
        </Card>
        <PlaylistTracks
          entries={form.entries}
          onChange={(entries) => setForm({ ...form, entries })}
        />
      </div>
    </AdminPage>
  )
}

function usePlaylistForm(playlist: AdminPlaylistDetail, cover: ReturnType<typeof useCover>) {
  return useVersionedForm(draftKey(playlist), playlist, playlistForm, cover)
}

function useSavePlaylist(
  playlist: AdminPlaylistDetail,
  edit: ReturnType<typeof usePlaylistForm>,
  cover: ReturnType<typeof useCover>,
) {
  const queryClient = useQueryClient()
  return useAdminMutation({
    async run() {
      const cover_path = await cover.path()
      return await edit.save(async ({ form: wanted, base, version }) => {
        const changes = { ...draftChanges(wanted, base, playlist.is_visible), cover_path, version }
        const { id } = playlist
        const saved = await sendInParts(changes, (part) =>
          changePlaylists({ action: 'update', id, ...part }),
        )
        return saved.playlist ?? playlist
      })
    },
    refresh: [],
    done: 'Changes saved successfully',
    onDone(saved) {
      queryClient.setQueryData(['admin', 'playlists', playlist.id], saved)
      void queryClient.invalidateQueries({ queryKey: ['admin', 'playlists'], exact: true })
      edit.restart(saved)
    },
    failed: (error) => showReason(error, 'Failed to save changes'),
  })
}
