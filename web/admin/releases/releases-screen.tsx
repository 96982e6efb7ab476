// /admin/releases: lists all releases, including unpublished ones.
import { formatDay } from '../../base/format/format-day.ts'
import {
  IconDots,
  IconEye,
  IconPencil,
  IconPlus,
  IconTrash,
  IconVinyl,
} from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { createRelease, type AdminRelease } from '#contract/admin/admin-releases.ts'
import { releaseKindLabels, releaseKinds } from '#contract/fields/release-fields.ts'
import { availabilities } from '#contract/fields/availability.ts'
import { call } from '../../base/api/api.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { Switch } from '../../base/ui/controls/switch.tsx'
import { Cover } from '../../base/ui/display/cover.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../base/ui/overlays/menu.tsx'
import { useMay } from '../../base/session/use-may.ts'
import { ReviewMenuItem } from '../reviews/review-menu-item.tsx'
import { ReviewState } from '../reviews/review-state.tsx'
import { AvailabilityBadge } from '../availability/availability-badge.tsx'
import { publishedOptions } from '../availability/published-options.ts'
import { showReason } from '../shared/admin-failure.ts'
import { AdminPage } from '../shared/admin-page.tsx'
import { DataTable } from '../shared/lists/data-table.tsx'
import listBar from '../shared/lists/list-bar.module.css'
import { PageCheckbox, RowCheckbox } from '../shared/lists/row-checkboxes.tsx'
import { NameCell } from '../shared/lists/name-cell.tsx'
import { PageNote } from '../shared/lists/page-note.tsx'
import { SortColumn } from '../shared/lists/sort-column.tsx'
import { UrlSearch } from '../shared/lists/url-search.tsx'
import { useSelection, type RowSelection } from '../shared/lists/use-selection.ts'
import { useLast } from '../shared/lists/use-last.ts'
import { useExistingPage, useUrlFilters, type UrlFilters } from '../shared/lists/use-url-filters.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { ReleaseBulkBar } from './release-bulk-bar.tsx'
import { ProposalsPanel } from './proposals-panel.tsx'
import {
  useAdminReleases,
  useDeleteRelease,
  usePublishRelease,
  type ReleaseQuery,
} from './release-queries.ts'
import styles from './releases-screen.module.css'

const filterNames = ['q', 'kind', 'published', 'sort', 'direction'] as const
const kindOptions = releaseKinds.map((value) => ({ value, label: releaseKindLabels[value] }))
const sortable = ['created_at', 'title', 'release_date'] as const
const byNewest = { sort: 'created_at', direction: 'desc' } as const

/** Loads the page of releases given in the URL, and holds the rows selected on it. */
function useReleaseList() {
  const filters = useUrlFilters(filterNames)
  const releases = useAdminReleases(toQuery(filters.values, filters.page))
  useExistingPage(filters, releases)
  const rows = releases.data?.data ?? []
  const ids = rows.map(({ id }) => id)
  const selection = useSelection(ids, ids.length, JSON.stringify([filters.values, filters.page]))
  return { filters, releases, rows, selection }
}

export function ReleasesScreen() {
  const isEditor = useMay('editor')
  const { filters, releases, rows, selection } = useReleaseList()
  const [deleting, setDeleting] = useState<AdminRelease | null>(null)
  const shown = useLast(deleting)
  const deletion = useDeleteRelease(() => setDeleting(null))
  const total = releases.data?.pagination.total
  const { q, kind, published } = filters.values
  const isNarrowed = [q, kind, published].some(Boolean)
  return (
    <AdminPage
      title="Releases"
      note={total === undefined ? '…' : formatCount(total, 'release', 'releases')}
      actions={<NewReleaseButton />}
    >
      <ProposalsPanel />
      <ReleaseToolbar filters={filters} />
      <DataTable
        label="Releases"
        columnCount={isEditor ? 7 : 6}
        query={releases}
        failedTitle="Failed to load releases"
        head={
          <>
            {isEditor && (
              <PageCheckbox
                label="Select all releases on this page"
                ids={rows.map(({ id }) => id)}
                selection={selection}
              />
            )}
            <ReleaseColumns filters={filters} />
          </>
        }
        empty={
          <EmptyState
            icon={<IconVinyl />}
            title={isNarrowed ? 'No releases found' : 'No releases yet'}
            message="A release groups tracks into an album, an EP or a compilation."
            action={<NewReleaseButton />}
          />
        }
        footer={
          releases.data && (
            <PageNote
              label="Releases"
              pagination={releases.data.pagination}
              onChange={filters.setPage}
            />
          )
        }
      >
        {rows.map((release) => (
          <ReleaseRow
            key={release.id}
            release={release}
            selection={isEditor ? selection : undefined}
            onDelete={() => setDeleting(release)}
          />
        ))}
      </DataTable>
      {selection.count > 0 && (
        <ReleaseBulkBar
          rows={rows.filter(({ id }) => selection.isChosen(id))}
          onClear={selection.clear}
        />
      )}
      <ConfirmDialog
        open={deleting !== null}
        title={`Delete ${shown?.title ?? 'release'}`}
        message="Are you sure you want to delete this release? Its tracks are kept."
        confirmLabel="Delete"
        busy={deletion.isPending}
        onConfirm={() => deleting && deletion.mutate(deleting)}
        onCancel={() => setDeleting(null)}
      />
    </AdminPage>
  )
}

type ReleaseFilters = UrlFilters<(typeof filterNames)[number]>

function ReleaseToolbar({ filters }: { filters: ReleaseFilters }) {
  return (
    <div className={listBar.bar}>
      <div className={listBar.search}>
        <UrlSearch
          label="Search releases"
          placeholder="Search by title, artist or label..."
          value={filters.values.q}
          onSearch={(q) => filters.change({ q }, { replace: true })}
        />
      </div>
      <Select
        label="Kind"
        hideLabel
        placeholder="All kinds"
        options={kindOptions}
        value={filters.values.kind}
        onChange={({ target }) => filters.change({ kind: target.value })}
      />
      <Select
        label="Published"
        hideLabel
        placeholder="Any publication state"
        options={publishedOptions}
        value={filters.values.published}
        onChange={({ target }) => filters.change({ published: target.value })}
      />
    </div>
  )
}

function ReleaseColumns({ filters }: { filters: ReleaseFilters }) {
  return (
    <>
      <SortColumn name="title" filters={filters} ownOrder={byNewest}>
        Title
      </SortColumn>
      <th scope="col" data-wide>
        Kind
      </th>
      <SortColumn name="release_date" filters={filters} ownOrder={byNewest} wide>
        Date
      </SortColumn>
      <th scope="col" data-numeric data-wide>
        Tracks
      </th>
      <th scope="col">Published</th>
      <th scope="col">Actions</th>
    </>
  )
}

function toQuery(
  { q, kind, published, sort, direction }: Record<(typeof filterNames)[number], string>,
  page: number,
): ReleaseQuery {
  const column = sortable.find((name) => name === sort)
  const isState = published === 'true' || published === 'false'
  const availability = availabilities.find((name) => name === published)
  const wantedKind = releaseKinds.find((name) => name === kind)
  return {
    page,
    ...(q && { q }),
    ...(wantedKind && { kind: wantedKind }),
    ...(isState && { published }),
    ...(availability && { availability }),
    ...(column && { sort: column, direction: direction === 'asc' ? 'asc' : 'desc' }),
  }
}

function NewReleaseButton() {
  const navigate = useNavigate()
  const creation = useAdminMutation({
    run: () => call(createRelease, { body: { title: 'New Release', kind: 'album' } }),
    refresh: ['releases'],
    onDone: ({ id }) => void navigate(`/admin/releases/${id}`),
    failed: (error) => showReason(error, 'Failed to create release'),
  })
  return (
    <Button
      variant="primary"
      icon={<IconPlus />}
      busy={creation.isPending}
      onClick={() => creation.mutate()}
    >
      Add Release
    </Button>
  )
}

interface ReleaseRowProps {
  release: AdminRelease
  /** The selected rows. Undefined if the user can't select rows. */
  selection: RowSelection | undefined
  onDelete: () => void
}

function ReleaseRow({ release, selection, onDelete }: ReleaseRowProps) {
  const { id, title, artist, kind, release_date, track_count, published_count } = release
  const isEditor = useMay('editor')
  const publishing = usePublishRelease()
  // While the request runs, the switch already shows the new value.
  const isPublished = publishing.isPending ? publishing.variables.isPublished : release.is_published
  const tracks =
    published_count === track_count ? track_count : `${published_count} of ${track_count}`
  // Parse the date without a time zone, so that it is the same day in every time zone.
  const date = release_date ? formatDay(`${release_date}T00:00`) : '–'
  return (
    <tr aria-selected={selection?.isChosen(id)}>
      {selection && <RowCheckbox name={title} id={id} selection={selection} />}
      <NameCell
        cover={
          <Cover
            url={release.cover_url}
            tint={release.cover_tint}
            placeholder={release.cover_placeholder}
            title={title}
            sizes="36px"
          />
        }
        title={
          <ScreenLink to={`/admin/releases/${id}`} className={styles.title ?? ''}>
            {title}
          </ScreenLink>
        }
        note={artist || 'No artist'}
        narrowNote={[artist, releaseKindLabels[kind], formatCount(track_count, 'track', 'tracks')]
          .filter(Boolean)
          .join(' · ')}
      >
        <AvailabilityBadge item={release} />
      </NameCell>
      <td data-wide>{releaseKindLabels[kind]}</td>
      <td data-wide>{date}</td>
      <td data-numeric data-wide>
        {tracks}
      </td>
      <td>
        {isEditor ? (
          <Switch
            label={`Publish ${title}`}
            hideLabel
            checked={isPublished}
            disabled={publishing.isPending || (track_count === 0 && !isPublished)}
            onChange={({ target }) => publishing.mutate({ release, isPublished: target.checked })}
          />
        ) : (
          <ReviewState item={release} />
        )}
      </td>
      <td>
        <RowMenu release={release} onDelete={onDelete} />
      </td>
    </tr>
  )
}

function RowMenu({ release, onDelete }: Omit<ReleaseRowProps, 'selection'>) {
  const { id, slug, title, is_published } = release
  const isEditor = useMay('editor')
  const navigate = useNavigate()
  return (
    <Menu
      label={`Actions for ${title}`}
      trigger={
        <IconButton size="small" label={`Actions for ${title}`}>
          <IconDots />
        </IconButton>
      }
    >
      <MenuItem icon={<IconPencil />} onSelect={() => void navigate(`/admin/releases/${id}`)}>
        Edit
      </MenuItem>
      {is_published && (
        <MenuItem icon={<IconEye />} onSelect={() => void navigate(`/releases/${slug}`)}>
          View as member
        </MenuItem>
      )}
      {!isEditor && <ReviewMenuItem item={release} kind="release" />}
      <MenuSeparator />
      <MenuItem danger icon={<IconTrash />} onSelect={onDelete}>
        Delete
      </MenuItem>
    </Menu>
  )
}
