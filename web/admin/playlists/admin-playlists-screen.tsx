// /admin/playlists: lists the curated playlists.
import { IconPlaylist, IconPlus } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import type { AdminPlaylist } from '#contract/admin/admin-playlists.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { showReason } from '../shared/admin-failure.ts'
import { AdminPage } from '../shared/admin-page.tsx'
import { CardGrid } from '../shared/lists/card-grid.tsx'
import { useLast } from '../shared/lists/use-last.ts'
import { AdminPlaylistCard } from './admin-playlist-card.tsx'
import { useAdminPlaylists, useDeletePlaylist } from './admin-playlist-queries.ts'
import { CreateAdminPlaylistDialog } from './create-admin-playlist-dialog.tsx'

export function AdminPlaylistsScreen() {
  const playlists = useAdminPlaylists()
  const [creating, setCreating] = useState(false)
  const [deleting, setDeleting] = useState<AdminPlaylist | null>(null)
  const shown = useLast(deleting)
  const deletion = useDeletePlaylist(() => setDeleting(null))
  const createButton = (
    <Button variant="primary" icon={<IconPlus />} onClick={() => setCreating(true)}>
      Create Playlist
    </Button>
  )
  return (
    <AdminPage
      title="Playlist Management"
      note="Curated playlists shown to members in Browse."
      actions={createButton}
    >
      <CardGrid
        query={playlists}
        failedTitle="Failed to fetch playlists"
        onFailed={(error) => showReason(error, 'Failed to fetch playlists')}
        empty={
          <EmptyState
            icon={<IconPlaylist />}
            title="No playlists yet. Create your first one!"
            action={createButton}
          />
        }
      >
        {(playlists.data ?? []).map((playlist) => (
          <AdminPlaylistCard
            key={playlist.id}
            playlist={playlist}
            onDelete={() => setDeleting(playlist)}
          />
        ))}
      </CardGrid>
      <CreateAdminPlaylistDialog open={creating} onClose={() => setCreating(false)} />
      <ConfirmDialog
        open={deleting !== null}
        title={`Delete ${shown?.title ?? 'playlist'}`}
        message="This will permanently delete this playlist and all its tracks. The tracks themselves stay in the library."
        confirmLabel="Delete"
        busy={deletion.isPending}
        onConfirm={() => deleting && deletion.mutate(deleting)}
        onCancel={() => setDeleting(null)}
      />
    </AdminPage>
  )
}
