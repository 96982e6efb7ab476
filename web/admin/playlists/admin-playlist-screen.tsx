// /admin/playlists/{id}: edits the details and tracks of a curated playlist.
import { IconArrowLeft, IconPlaylist } from '#web/base/ui/icons/icons.ts'
import type { FormEvent } from 'react'
import { useParams } from 'react-router'
import { useQueryClient } from '@tanstack/react-query'
import type { AdminPlaylistDetail } from '#contract/admin/admin-playlists.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { useKeptFiles } from '../../base/forms/use-form-draft.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { Badge } from '../../base/ui/display/badge.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { searchTitleOrArtist } from '../../features/catalogue/queries/search-title-or-artist.ts'
import { sendInParts } from '../../features/catalogue/queries/send-in-parts.ts'
import { AvailabilityBadge } from '../availability/availability-badge.tsx'
import { showReason } from '../shared/admin-failure.ts'
import { useVersionedForm } from '../conflicts/use-versioned-form.ts'
import { useFailureToast } from '../shared/lists/data-table.tsx'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { useCover, type DraftCover } from '../shared/use-cover.ts'
import { isMissingList, ListEditor, OpenList } from '../track-order/list-editor.tsx'
import { TrackOrder } from '../track-order/track-order.tsx'
import type { FindTracks } from '../track-order/track-search.tsx'
import { changePlaylists, useAdminPlaylist } from './admin-playlist-queries.ts'
import { addToDraft, draftChanges, playlistForm, type DraftTrack } from './playlist-draft.ts'
import { PlaylistFields } from './playlist-fields.tsx'

const back = (
  <ButtonLink to="/admin/playlists" variant="quiet" size="small" icon={<IconArrowLeft />}>
    Playlists
  </ButtonLink>
)

export function AdminPlaylistScreen() {
  const { id = '' } = useParams()
  const query = useAdminPlaylist(id)
  const isMissing = isMissingList(query.error, 'playlist_not_found')
  useFailureToast(isMissing ? null : query.error, (reason) =>
    showReason(reason, 'Failed to fetch playlist details'),
  )
  return (
    <OpenList
      query={query}
      isMissing={isMissing}
      noun="Playlist"
      icon={<IconPlaylist />}
      back={back}
      failedTitle="Failed to fetch playlist details"
    >
      {(playlist) => <PlaylistEditor key={playlist.id} playlist={playlist} isDeleted={isMissing} />}
    </OpenList>
  )
}

const draftKey = ({ id }: AdminPlaylistDetail) => `admin-playlist:${id}`

interface PlaylistEditorProps {
  playlist: AdminPlaylistDetail
  /** True if the playlist has been deleted since the form was opened. */
  isDeleted: boolean
}

function PlaylistEditor({ playlist, isDeleted }: PlaylistEditorProps) {
  const cover = useCover(useKeptFiles<DraftCover>(draftKey(playlist)))
  const edit = usePlaylistForm(playlist, cover)
  const { form, setForm } = edit
  const { form: element, problems, showProblems } = useProblems<{ title: string }>()
  const saving = useSavePlaylist(playlist, edit, cover)

  function save(event?: FormEvent) {
    event?.preventDefault()
    const title = form.title.trim() ? undefined : 'Title is required'
    if (showProblems({ title })) showToast({ tone: 'destructive', title: 'Error', message: title })
    else if (!saving.isPending && !isDeleted) saving.mutate()
  }

  return (
    <ListEditor
      noun="Playlist"
      title={form.title}
      back={back}
      note={
        <>
          <Badge tone={playlist.is_visible ? 'success' : 'neutral'}>
            {playlist.is_visible ? 'Visible to members' : 'Hidden from members'}
          </Badge>{' '}
          <AvailabilityBadge item={playlist} />
        </>
      }
      edit={edit}
      isDeleted={isDeleted}
      isSaving={saving.isPending}
      onSave={save}
      formRef={element}
      fields={
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
      }
    >
      <TrackOrder
        items={form.entries}
        onChange={(entries) => setForm({ ...form, entries })}
        onAdd={(track) => setForm({ ...form, entries: addToDraft(form.entries, track) })}
        find={findPublished}
        source="Edit Playlist"
        emptyTitle="No tracks in this playlist yet"
      />
    </ListEditor>
  )
}

const findPublished: FindTracks<DraftTrack> = async (text, known) =>
  (await searchTitleOrArtist(text, { without: known })).map((track) => ({
    ...track,
    is_published: true,
  }))

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
