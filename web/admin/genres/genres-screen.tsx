// /admin/genres: the genres that can be set on tracks.
import { useQuery } from '@tanstack/react-query'
import { IconDisc, IconPencil, IconPlus, IconTrash } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import { deleteGenre, listGenres, restoreGenre, type Genre } from '#contract/admin/admin-genres.ts'
import { call } from '../../base/api/api.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { AdminPage } from '../shared/admin-page.tsx'
import { DataTable } from '../shared/lists/data-table.tsx'
import { SortColumn } from '../shared/lists/sort-column.tsx'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { useLast } from '../shared/lists/use-last.ts'
import { useUrlFilters } from '../shared/lists/use-url-filters.ts'
import { GenreDialog } from './genre-dialog.tsx'

const orderNames = ['sort', 'direction'] as const
const byName = { sort: 'name', direction: 'asc' } as const

export function GenresScreen() {
  const genres = useQuery({
    queryKey: ['admin', 'genres'],
    queryFn: ({ signal }) => call(listGenres, {}, { signal }),
  })
  const filters = useUrlFilters(orderNames)
  const [adding, setAdding] = useState(false)
  const [renaming, setRenaming] = useState<Genre | null>(null)
  const [deleting, setDeleting] = useState<Genre | null>(null)
  const shown = useLast(deleting)
  const isDeleted = Boolean(
    renaming && genres.data && !genres.data.data.some(({ id }) => id === renaming.id),
  )
  const deletion = useDeleteGenre(() => setDeleting(null))
  const addButton = (
    <Button variant="primary" icon={<IconPlus />} onClick={() => setAdding(true)}>
      Add Genre
    </Button>
  )
  return (
    <AdminPage
      title="Genre Management"
      note="You can delete a genre when no track uses it."
      actions={addButton}
    >
      <DataTable
        label="Genres"
        columnCount={3}
        query={genres}
        failedTitle="Failed to load genres"
        head={
          <>
            <SortColumn name="name" filters={filters} ownOrder={byName}>
              Name
            </SortColumn>
            <SortColumn name="track_count" filters={filters} ownOrder={byName} numeric>
              Tracks
            </SortColumn>
            <th scope="col" data-numeric>
              Actions
            </th>
          </>
        }
        empty={<EmptyState icon={<IconDisc />} title="No genres yet" action={addButton} />}
      >
        {sortGenres(genres.data?.data ?? [], filters.values).map((genre) => (
          <GenreRow
            key={genre.id}
            genre={genre}
            onRename={() => setRenaming(genre)}
            onDelete={() => setDeleting(genre)}
          />
        ))}
      </DataTable>
      <GenreDialog
        open={adding || renaming !== null}
        genre={renaming}
        isDeleted={isDeleted}
        onClose={() => {
          setAdding(false)
          setRenaming(null)
        }}
      />
      <ConfirmDialog
        open={deleting !== null}
        title={`Delete ${shown?.name ?? 'genre'}`}
        message="Are you sure you want to delete this genre?"
        confirmLabel="Delete"
        busy={deletion.isPending}
        onConfirm={() => deleting && deletion.mutate(deleting)}
        onCancel={() => setDeleting(null)}
      />
    </AdminPage>
  )
}

function useDeleteGenre(onDone: () => void) {
  return useAdminMutation<Genre>({
    run: ({ id }) => call(deleteGenre, { params: { id } }),
    refresh: ['genres'],
    done: 'Genre deleted successfully',
    undo: ({ id, name }) => ({
      name,
      restore: () => call(restoreGenre, { params: { id } }),
      done: 'Genre restored',
      failed: 'Failed to restore genre',
    }),
    onDone,
    failed: 'Failed to delete genre',
  })
}

interface GenreRowProps {
  genre: Genre
  onRename: () => void
  onDelete: () => void
}

function GenreRow({ genre, onRename, onDelete }: GenreRowProps) {
  return (
    <tr>
      <th scope="row">{genre.name}</th>
      <td data-numeric>
        {genre.track_count > 0 ? (
          <ScreenLink to={`/admin/tracks?genre=${encodeURIComponent(genre.name)}`}>
            {genre.track_count.toLocaleString('en')}
          </ScreenLink>
        ) : (
          0
        )}
      </td>
      <td data-numeric>
        <IconButton size="small" label={`Rename ${genre.name}`} onClick={onRename}>
          <IconPencil />
        </IconButton>
        <IconButton
          size="small"
          variant="danger"
          label={`Delete ${genre.name}`}
          data-control="delete"
          disabled={genre.track_count > 0}
          onClick={onDelete}
        >
          <IconTrash />
        </IconButton>
      </td>
    </tr>
  )
}

/** Sorts the genres in the browser, because the server returns all of them at once. */
function sortGenres(genres: readonly Genre[], order: { sort: string; direction: string }): Genre[] {
  const byCount = order.sort === 'track_count'
  const ascending = genres.toSorted(
    (one, other) =>
      (byCount ? one.track_count - other.track_count : 0) || one.name.localeCompare(other.name),
  )
  return order.direction === 'desc' ? ascending.toReversed() : ascending
}
