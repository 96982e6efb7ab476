// /admin/artists: every artist, to edit, merge, split and delete.
import { useQueryClient } from '@tanstack/react-query'
import {
  IconArrowsJoin,
  IconArrowsSplit,
  IconDots,
  IconExternalLink,
  IconMicrophone2,
  IconPencil,
  IconPlus,
  IconTrash,
  IconX,
} from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import { deleteArtist, type AdminArtist } from '#contract/admin/admin-artists.ts'
import { call } from '../../base/api/api.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { formatDay } from '../../base/format/format-day.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { Cover } from '../../base/ui/display/cover.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { Pagination } from '../../base/ui/lists/pagination.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../base/ui/overlays/menu.tsx'
import { showReason } from '../shared/admin-failure.ts'
import { AdminPage } from '../shared/admin-page.tsx'
import { ChoosePage, ChooseRow } from '../shared/lists/choose-rows.tsx'
import { DataTable } from '../shared/lists/data-table.tsx'
import listBar from '../shared/lists/list-bar.module.css'
import { SortColumn } from '../shared/lists/sort-column.tsx'
import { UrlSearch } from '../shared/lists/url-search.tsx'
import { useLast } from '../shared/lists/use-last.ts'
import { useSelection, type RowSelection } from '../shared/lists/use-selection.ts'
import { useExistingPage, useUrlFilters } from '../shared/lists/use-url-filters.ts'
import { offerUndo } from '../shared/offer-undo.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { useAdminArtists } from '../track-data/artist-queries.ts'
import { AddArtistDialog } from './add-artist-dialog.tsx'
import { artistLists, undoOf } from './artist-undo.ts'
import styles from './artists-screen.module.css'
import { EditArtistDialog } from './edit-artist-dialog.tsx'
import { MergeArtistsDialog } from './merge-artists-dialog.tsx'
import { SplitArtistDialog } from './split-artist-dialog.tsx'

const filterNames = ['q', 'sort', 'direction', 'edit'] as const
const byName = { sort: 'name', direction: 'asc' } as const
const sorts = ['name', 'track_count', 'created_at'] as const

export function ArtistsScreen() {
  const filters = useUrlFilters(filterNames)
  const { q, sort, direction, edit } = filters.values
  const artists = useAdminArtists({
    page: filters.page,
    sort: sorts.find((known) => known === sort) ?? 'name',
    direction: direction === 'desc' ? 'desc' : 'asc',
    ...(q && { q }),
  })
  useExistingPage(filters, artists)
  const rows = artists.data?.data ?? []
  const pagination = artists.data?.pagination
  const ids = rows.map(({ id }) => id)
  const selection = useSelection(ids, ids.length, `${q} ${sort} ${direction} ${filters.page}`)
  const [isAdding, setAdding] = useState(false)
  const [merging, setMerging] = useState<AdminArtist[]>([])
  const [splitting, setSplitting] = useState<AdminArtist | null>(null)
  const [deleting, setDeleting] = useState<AdminArtist | null>(null)
  const openEditor = (id: string) => filters.change({ edit: id })
  const addButton = (
    <Button variant="primary" icon={<IconPlus />} onClick={() => setAdding(true)}>
      Add Artist
    </Button>
  )
  return (
    <AdminPage
      title="Artist Management"
      note={pagination ? formatCount(pagination.total, 'artist', 'artists') : '…'}
      actions={addButton}
    >
      <div className={listBar.bar}>
        <div className={listBar.search}>
          <UrlSearch
            label="Search artists"
            placeholder="Search by name..."
            value={q}
            onSearch={(words) => filters.change({ q: words }, { replace: true })}
          />
        </div>
      </div>
      {selection.count > 0 && (
        <ChosenArtists
          selection={selection}
          onMerge={() => setMerging(rows.filter(({ id }) => selection.isChosen(id)))}
        />
      )}
      <DataTable
        label="Artists"
        columnCount={6}
        query={artists}
        failedTitle="Failed to load artists"
        head={
          <>
            <ChoosePage label="Choose all artists on this page" ids={ids} selection={selection} />
            <SortColumn name="name" filters={filters} ownOrder={byName}>
              Name
            </SortColumn>
            <th scope="col" data-wide>
              Address
            </th>
            <SortColumn name="track_count" filters={filters} ownOrder={byName} numeric>
              Tracks
            </SortColumn>
            <SortColumn name="created_at" filters={filters} ownOrder={byName} wide>
              Added
            </SortColumn>
            <th scope="col" data-numeric>
              Actions
            </th>
          </>
        }
        empty={
          <EmptyState
            icon={<IconMicrophone2 />}
            title={q ? 'No artists found' : 'No artists yet'}
            message={q ? `No name contains “${q}”.` : 'The first track brings its artist along.'}
            action={q ? undefined : addButton}
          />
        }
        footer={
          pagination &&
          pagination.total_pages > 1 && (
            <Pagination
              label="Artists"
              page={pagination.page}
              totalPages={pagination.total_pages}
              onChange={filters.setPage}
            />
          )
        }
      >
        {rows.map((artist) => (
          <ArtistRow
            key={artist.id}
            {...{ artist, selection }}
            onEdit={() => openEditor(artist.id)}
            onMerge={() => setMerging([artist])}
            onSplit={() => setSplitting(artist)}
            onDelete={() => setDeleting(artist)}
          />
        ))}
      </DataTable>
      <AddArtistDialog
        open={isAdding}
        onClose={() => setAdding(false)}
        onAdded={({ id }) => openEditor(id)}
      />
      <EditArtistDialog id={edit} onClose={() => filters.change({ edit: '' })} />
      <MergeArtistsDialog
        artists={merging}
        onClose={() => setMerging([])}
        onMerged={selection.clear}
      />
      <SplitArtistDialog artist={splitting} onClose={() => setSplitting(null)} />
      <DeleteArtistDialog artist={deleting} onClose={() => setDeleting(null)} />
    </AdminPage>
  )
}

function ChosenArtists({ selection, onMerge }: { selection: RowSelection; onMerge: () => void }) {
  return (
    <div className={styles.chosen} role="group" aria-label="Chosen artists">
      <span role="status">{formatCount(selection.count, 'artist', 'artists')} chosen</span>
      <Button
        size="small"
        icon={<IconArrowsJoin />}
        disabled={selection.count < 2}
        onClick={onMerge}
      >
        Merge
      </Button>
      <IconButton label="Choose none" size="small" onClick={selection.clear}>
        <IconX />
      </IconButton>
    </div>
  )
}

interface ArtistRowProps {
  artist: AdminArtist
  selection: RowSelection
  onEdit: () => void
  onMerge: () => void
  onSplit: () => void
  onDelete: () => void
}

function ArtistRow({ artist, selection, onEdit, onMerge, onSplit, onDelete }: ArtistRowProps) {
  const { id, name, slug, aliases, track_count, created_at } = artist
  return (
    <tr aria-selected={selection.isChosen(id)}>
      <ChooseRow name={name} id={id} selection={selection} />
      <th scope="row">
        <span className={styles.name}>
          <span className={styles.picture}>
            <Cover
              url={artist.cover_url}
              tint={artist.cover_tint}
              placeholder={artist.cover_placeholder}
              title={name}
              sizes="32px"
              radius="none"
            />
          </span>
          <button type="button" className={styles.open} onClick={onEdit}>
            {name}
          </button>
          {aliases.length > 0 && (
            <span className={styles.aliases} title={aliases.join(', ')}>
              also {aliases.join(', ')}
            </span>
          )}
        </span>
      </th>
      <td data-wide>{slug}</td>
      <td data-numeric>
        {track_count > 0 ? (
          <ScreenLink to={`/admin/tracks?q=${encodeURIComponent(name)}`}>
            {track_count.toLocaleString('en')}
          </ScreenLink>
        ) : (
          0
        )}
      </td>
      <td data-wide className={styles.day}>
        {formatDay(created_at)}
      </td>
      <td data-numeric>
        <Menu
          label={`Actions for ${name}`}
          trigger={
            <IconButton size="small" label={`Actions for ${name}`} data-control="more">
              <IconDots />
            </IconButton>
          }
        >
          <MenuItem icon={<IconPencil />} onSelect={onEdit}>
            Edit
          </MenuItem>
          <MenuItem
            icon={<IconExternalLink />}
            onSelect={() => window.open(`/artists/${slug}`, '_blank', 'noopener')}
          >
            Open page
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={<IconArrowsJoin />} onSelect={onMerge}>
            Merge into another
          </MenuItem>
          {track_count > 0 && (
            <MenuItem icon={<IconArrowsSplit />} onSelect={onSplit}>
              Split off tracks
            </MenuItem>
          )}
          {track_count === 0 && (
            <MenuItem icon={<IconTrash />} onSelect={onDelete}>
              Delete
            </MenuItem>
          )}
        </Menu>
      </td>
    </tr>
  )
}

function DeleteArtistDialog({
  artist,
  onClose,
}: {
  artist: AdminArtist | null
  onClose: () => void
}) {
  const queryClient = useQueryClient()
  const shown = useLast(artist)
  const deletion = useAdminMutation<AdminArtist, { undo_id: string }>({
    run: ({ id }) => call(deleteArtist, { params: { id } }),
    refresh: artistLists,
    onDone({ undo_id }, { name }) {
      onClose()
      offerUndo(queryClient, 'Artist deleted', artistLists, undoOf(undo_id, name))
    },
    failed: (error) => showReason(error, 'Failed to delete artist'),
  })
  return (
    <ConfirmDialog
      open={artist !== null}
      title={`Delete ${shown?.name ?? 'artist'}`}
      message="Are you sure you want to delete this artist? No track names it."
      confirmLabel="Delete"
      busy={deletion.isPending}
      onConfirm={() => artist && deletion.mutate(artist)}
      onCancel={onClose}
    />
  )
}
