// /admin/playlists/{id}: what a playlist of the house is called and which tracks it has, in order.
import { IconArrowLeft, IconPlaylist } from '@tabler/icons-react'
import { useRef, useState, type FormEvent } from 'react'
import { useParams } from 'react-router'
import { useQueryClient } from '@tanstack/react-query'
import type { AdminPlaylistDetail } from '#contract/admin-playlists.ts'
import { ApiError } from '../../app/api.ts'
import { useDocumentTitle } from '../../app/document-title.ts'
import { LeaveDialog } from '../../app/leave-dialog.tsx'
import { ButtonLink } from '../../app/screen-link.tsx'
import { errorText } from '../../app/show-error.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toast-store.ts'
import { showReason } from '../admin-failure.ts'
import { AdminPage } from '../admin-page.tsx'
import { coverPath } from '../cover-field.tsx'
import { useFailureToast } from '../data-table.tsx'
import formStyles from '../dialog-form.module.css'
import { useAct } from '../use-act.ts'
import { useDraft } from '../use-draft.ts'
import { useUpload } from '../use-upload.ts'
import { changePlaylists, useAdminPlaylist } from './admin-playlist-queries.ts'
import styles from './admin-playlist-screen.module.css'
import { draftChanges, draftOf, isSameDraft } from './playlist-draft.ts'
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
  // An address that is no id names no playlist either.
  const isMissing =
    error instanceof ApiError && ['playlist_not_found', 'invalid_input'].includes(error.code)
  useFailureToast(isMissing ? null : error, (reason) =>
    showReason(reason, 'Failed to fetch playlist details'),
  )
  useDocumentTitle(data && `Edit ${data.title}`)
  if (data) return <PlaylistEditor key={data.id} playlist={data} />
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

function PlaylistEditor({ playlist }: { playlist: AdminPlaylistDetail }) {
  const queryClient = useQueryClient()
  const { base, form, isChanged, setForm, restart } = useDraft(playlist, draftOf, isSameDraft)
  const [titleError, setTitleError] = useState<string>()
  const [coverRemoved, setCoverRemoved] = useState(false)
  const titleInput = useRef<HTMLInputElement>(null)
  const cover = useUpload('covers')
  const isUnsaved = isChanged || coverRemoved || cover.state.status !== 'idle'

  const saving = useAct({
    async run() {
      const cover_path = await coverPath(cover, coverRemoved)
      const { playlist: saved } = await changePlaylists({
        action: 'update',
        id: playlist.id,
        ...draftChanges(form, draftOf(base)),
        cover_path,
      })
      return saved
    },
    refresh: [],
    done: 'Changes saved successfully',
    onDone(saved) {
      if (!saved) return
      queryClient.setQueryData(['admin', 'playlists', playlist.id], saved)
      void queryClient.invalidateQueries({ queryKey: ['admin', 'playlists'], exact: true })
      restart(saved)
      cover.clear()
      setCoverRemoved(false)
    },
    failed: (error) => showReason(error, 'Failed to save changes'),
  })

  function save(event?: FormEvent) {
    event?.preventDefault()
    const isMissing = !form.title.trim()
    setTitleError(isMissing ? 'Title is required' : undefined)
    if (isMissing) {
      showToast({ tone: 'destructive', title: 'Error', message: 'Title is required' })
      titleInput.current?.focus()
    } else if (!saving.isPending) saving.mutate()
  }

  return (
    <AdminPage
      title={form.title || 'Untitled'}
      back={back}
      note={
        <Badge tone={playlist.is_visible ? 'success' : 'neutral'}>
          {playlist.is_visible ? 'Visible to members' : 'Hidden from members'}
        </Badge>
      }
      actions={
        <>
          <span className={styles.hint} role="status">
            {isUnsaved && 'Remember to save changes'}
          </span>
          <Button variant="primary" busy={saving.isPending} onClick={() => save()}>
            Save Changes
          </Button>
        </>
      }
    >
      <div className={styles.columns}>
        <Card title="Playlist Info">
          <form className={formStyles.form} noValidate onSubmit={save}>
            <PlaylistFields
              form={form}
              onChange={(changes) => setForm({ ...form, ...changes })}
              titleError={titleError}
              titleInput={titleInput}
              upload={cover}
              current={playlist}
              removed={coverRemoved}
              onRemovedChange={setCoverRemoved}
            />
          </form>
        </Card>
        <PlaylistTracks
          entries={form.entries}
          onChange={(entries) => setForm({ ...form, entries })}
        />
      </div>
      <LeaveDialog isUnsaved={isUnsaved} what="this playlist" />
    </AdminPage>
  )
}
