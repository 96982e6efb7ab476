// The table of tracks. Rows can be selected and columns sorted. Each row has a publish switch and a menu.
import { IconDots, IconEye, IconPencil, IconRefresh, IconTrash } from '#web/base/ui/icons/icons.ts'
import { Fragment, type ReactNode } from 'react'
import type { AdminTrack } from '#contract/admin/admin-tracks.ts'
import { Checkbox } from '../../base/ui/controls/checkbox.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../base/ui/overlays/menu.tsx'
import { Switch } from '../../base/ui/controls/switch.tsx'
import { useMay } from '../../base/session/use-may.ts'
import { ReviewMenuItem } from '../reviews/review-menu-item.tsx'
import { ReviewState } from '../reviews/review-state.tsx'
import { SortHeader } from '../../base/ui/lists/table.tsx'
import { DataTable, type ListQuery } from '../shared/lists/data-table.tsx'
import { PlayCover } from '../listen/play-track.tsx'
import type { TrackColumn } from './track-columns.tsx'
import type { TrackFilters } from './track-filters.ts'
import {
  isMarkedPublished,
  useCategoryOptions,
  useProcessTrackAgain,
  usePublishTrack,
} from '../track-data/track-queries.ts'
import styles from './track-table.module.css'
import type { TrackVariant } from './track-variant.ts'

export interface TrackTableProps {
  variant: TrackVariant
  columns: readonly TrackColumn[]
  query: ListQuery
  rows: readonly AdminTrack[]
  filters: TrackFilters
  chosen: ReadonlySet<string>
  onChoose: (ids: ReadonlySet<string>) => void
  onEdit: (track: AdminTrack) => void
  onView: (track: AdminTrack) => void
  onDelete: (track: AdminTrack) => void
  empty: ReactNode
  footer: ReactNode
}

export function TrackTable(props: TrackTableProps) {
  const { variant, columns, query, rows, filters, chosen, onChoose, onEdit, onView, onDelete } =
    props
  const isEditor = useMay('editor')
  const categories = useCategoryOptions()
  const publishing = usePublishTrack(variant.updateFailed)
  const categoryName = (slug: string) =>
    categories.data?.find(({ value }) => value === slug)?.label ?? slug

  function choose(id: string, isChosen: boolean) {
    const next = new Set(chosen)
    if (isChosen) next.add(id)
    else next.delete(id)
    onChoose(next)
  }

  return (
    <DataTable
      label="Tracks"
      columnCount={columns.length + 1}
      query={query}
      failedTitle={variant.failedTitle}
      onFailed={variant.loadFailed}
      empty={props.empty}
      footer={props.footer}
      head={
        <>
          <th scope="col" data-tight>
            <ChooseAll
              rows={rows}
              disabled={rows.length === 0 || query.isPlaceholderData === true}
              chosen={chosen}
              onChoose={onChoose}
            />
          </th>
          {columns.map((column) => (
            <ColumnHeader key={column.label} column={column} filters={filters} />
          ))}
        </>
      }
    >
      {rows.map((track) => (
        <TrackTableRow
          key={track.id}
          track={track}
          columns={columns}
          isChosen={chosen.has(track.id)}
          onChoose={(isChosen) => choose(track.id, isChosen)}
          parts={{
            categoryName,
            cover: <PlayCover track={track} list={rows} source={variant.listName} sizes="36px" />,
            publishSwitch: !isEditor ? (
              <ReviewState item={track} />
            ) : (
              <PublishSwitch
                track={track}
                onChange={(isPublished) => publishing.mutate({ id: track.id, isPublished })}
              />
            ),
            actions: <RowMenu track={track} {...{ onEdit, onView, onDelete }} />,
          }}
        />
      ))}
    </DataTable>
  )
}

interface TrackTableRowProps {
  track: AdminTrack
  columns: readonly TrackColumn[]
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
  parts: Parameters<TrackColumn['cell']>[1]
}

function TrackTableRow({ track, columns, isChosen, onChoose, parts }: TrackTableRowProps) {
  return (
    <tr aria-selected={isChosen}>
      <td data-tight>
        <Checkbox
          label={`Select ${track.title}`}
          hideLabel
          checked={isChosen}
          onChange={(event) => onChoose(event.target.checked)}
        />
      </td>
      {columns.map((column) =>
        column.isName ? (
          <Fragment key={column.label}>{column.cell(track, parts)}</Fragment>
        ) : (
          <td
            key={column.label}
            data-numeric={column.numeric || undefined}
            data-wide={column.wide || undefined}
          >
            {column.cell(track, parts)}
          </td>
        ),
      )}
    </tr>
  )
}

interface PublishSwitchProps {
  track: AdminTrack
  onChange: (isPublished: boolean) => void
}

function PublishSwitch({ track, onChange }: PublishSwitchProps) {
  return (
    <Switch
      label={`Publish ${track.title}`}
      hideLabel
      checked={isMarkedPublished(track)}
      disabled={track.processing_status === 'failed' && !isMarkedPublished(track)}
      onChange={(event) => onChange(event.target.checked)}
    />
  )
}

function ColumnHeader({ column, filters }: { column: TrackColumn; filters: TrackFilters }) {
  const { sort, label, numeric, wide } = column
  const sorted = filters.values.sort || 'created_at'
  const direction = filters.values.direction === 'asc' ? 'ascending' : 'descending'
  if (!sort) {
    return (
      <th scope="col" data-numeric={numeric || undefined} data-wide={wide || undefined}>
        {label}
      </th>
    )
  }
  return (
    <SortHeader
      numeric={numeric ?? false}
      wide={wide ?? false}
      direction={sort === sorted ? direction : undefined}
      onSort={(next) => filters.change({ sort, direction: next === 'ascending' ? 'asc' : 'desc' })}
    >
      {label}
    </SortHeader>
  )
}

interface ChooseAllProps {
  rows: readonly AdminTrack[]
  /** True until the rows are loaded. */
  disabled: boolean
  chosen: ReadonlySet<string>
  onChoose: (ids: ReadonlySet<string>) => void
}

function ChooseAll({ rows, disabled, chosen, onChoose }: ChooseAllProps) {
  const count = rows.filter(({ id }) => chosen.has(id)).length
  return (
    <Checkbox
      label="Select all tracks on this page"
      hideLabel
      disabled={disabled}
      checked={rows.length > 0 && count === rows.length}
      indeterminate={count > 0 && count < rows.length}
      onChange={(event) => onChoose(new Set(event.target.checked ? rows.map(({ id }) => id) : []))}
    />
  )
}

interface RowMenuProps {
  track: AdminTrack
  onEdit: (track: AdminTrack) => void
  onView: (track: AdminTrack) => void
  onDelete: (track: AdminTrack) => void
}

function RowMenu({ track, onEdit, onView, onDelete }: RowMenuProps) {
  const isEditor = useMay('editor')
  const processAgain = useProcessTrackAgain()
  return (
    <span className={styles.actions}>
      <span data-wide>
        <IconButton size="small" label={`Edit ${track.title}`} onClick={() => onEdit(track)}>
          <IconPencil />
        </IconButton>
      </span>
      <Menu
        label={`Actions for ${track.title}`}
        trigger={
          <IconButton size="small" label={`Actions for ${track.title}`}>
            <IconDots />
          </IconButton>
        }
      >
        <MenuItem icon={<IconPencil />} onSelect={() => onEdit(track)}>
          Edit
        </MenuItem>
        <MenuItem icon={<IconEye />} onSelect={() => onView(track)}>
          View as member
        </MenuItem>
        <MenuItem icon={<IconRefresh />} onSelect={() => processAgain.mutate(track)}>
          Process Again
        </MenuItem>
        {!isEditor && <ReviewMenuItem item={track} kind="track" />}
        <MenuSeparator />
        <MenuItem danger icon={<IconTrash />} onSelect={() => onDelete(track)}>
          Delete
        </MenuItem>
      </Menu>
    </span>
  )
}
