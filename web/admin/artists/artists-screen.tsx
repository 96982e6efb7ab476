// /admin/artists: lists all artists. Artists can be edited, merged, split and deleted.
import { IconArrowsJoin, IconMicrophone2, IconPlus, IconX } from '#web/base/ui/icons/icons.ts'
import { useState, type ReactNode } from 'react'
import { formatCount } from '../../base/format/format-duration.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { Pagination } from '../../base/ui/lists/pagination.tsx'
import { useMay } from '../../base/session/use-may.ts'
import { AssignButton } from '../owners/assign-button.tsx'
import { AdminPage } from '../shared/admin-page.tsx'
import { PageCheckbox } from '../shared/lists/row-checkboxes.tsx'
import { DataTable } from '../shared/lists/data-table.tsx'
import listBar from '../shared/lists/list-bar.module.css'
import { SortColumn } from '../shared/lists/sort-column.tsx'
import { UrlSearch } from '../shared/lists/url-search.tsx'
import { useSelection, type RowSelection } from '../shared/lists/use-selection.ts'
import { useExistingPage, useUrlFilters, type UrlFilters } from '../shared/lists/use-url-filters.ts'
import { useAdminArtists } from '../track-data/artist-queries.ts'
import { ArtistDialogs, type OpenDialog } from './artist-dialogs.tsx'
import { ArtistRow } from './artist-row.tsx'
import styles from './artists-screen.module.css'

const filterNames = ['q', 'sort', 'direction', 'edit'] as const
const byName = { sort: 'name', direction: 'asc' } as const
const sorts = ['name', 'track_count', 'created_at'] as const

/** Loads the page of artists given in the URL, and holds the rows selected on it. */
function useArtistList() {
  const filters = useUrlFilters(filterNames)
  const { q, sort, direction } = filters.values
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
  return { filters, artists, rows, pagination, ids, selection }
}

export function ArtistsScreen() {
  const { filters, artists, rows, pagination, ids, selection } = useArtistList()
  const { q, edit } = filters.values
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  const openEditor = (id: string) => filters.change({ edit: id })
  const addButton = (
    <Button variant="primary" icon={<IconPlus />} onClick={() => setOpenDialog({ act: 'add' })}>
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
            onSearch={(typed) => filters.change({ q: typed }, { replace: true })}
          />
        </div>
      </div>
      {selection.count > 0 && (
        <ChosenArtists
          selection={selection}
          onMerge={() => {
            const artists = rows.filter(({ id }) => selection.isChosen(id))
            setOpenDialog({ act: 'merge', artists })
          }}
        />
      )}
      <DataTable
        label="Artists"
        columnCount={6}
        query={artists}
        failedTitle="Failed to load artists"
        head={<ArtistColumns filters={filters} ids={ids} selection={selection} />}
        empty={<NoArtists q={q} action={addButton} />}
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
            onMerge={() => setOpenDialog({ act: 'merge', artists: [artist] })}
            onSplit={() => setOpenDialog({ act: 'split', artist })}
            onDelete={() => setOpenDialog({ act: 'delete', artist })}
          />
        ))}
      </DataTable>
      <ArtistDialogs
        openDialog={openDialog}
        editedId={edit}
        onEdit={openEditor}
        onClose={() => setOpenDialog(null)}
        onMerged={selection.clear}
      />
    </AdminPage>
  )
}

function NoArtists({ q, action }: { q: string; action: ReactNode }) {
  return (
    <EmptyState
      icon={<IconMicrophone2 />}
      title={q ? 'No artists found' : 'No artists yet'}
      message={q ? `No artist name contains “${q}”.` : 'Artists are added with their first track.'}
      action={q ? undefined : action}
    />
  )
}

interface ArtistColumnsProps {
  filters: UrlFilters<(typeof filterNames)[number]>
  ids: readonly string[]
  selection: RowSelection
}

function ArtistColumns({ filters, ids, selection }: ArtistColumnsProps) {
  return (
    <>
      <PageCheckbox label="Select all artists on this page" ids={ids} selection={selection} />
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
  )
}

function ChosenArtists({ selection, onMerge }: { selection: RowSelection; onMerge: () => void }) {
  const isAdmin = useMay('admin')
  return (
    <div className={styles.chosen} role="group" aria-label="Selected artists">
      <span role="status">{formatCount(selection.count, 'artist', 'artists')} selected</span>
      <Button
        size="small"
        icon={<IconArrowsJoin />}
        disabled={selection.count < 2}
        onClick={onMerge}
      >
        Merge
      </Button>
      {isAdmin && (
        <AssignButton
          items={[...selection.chosen].map((id) => ({ kind: 'artist', id }))}
          what={formatCount(selection.count, 'artist', 'artists')}
          onDone={selection.clear}
        />
      )}
      <IconButton label="Clear selection" size="small" onClick={selection.clear}>
        <IconX />
      </IconButton>
    </div>
  )
}
