// Lists the spots with their state and statistics, and a menu of actions for each.
import { useState, type ReactNode } from 'react'
import type { AdminSpot, SpotState } from '#contract/admin/service/admin-spots.ts'
import { IconDotsVertical, IconSpeakerphone } from '#web/base/ui/icons/icons.ts'
import { formatClock } from '../../base/format/format-clock.ts'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Cover } from '../../base/ui/display/cover.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { Menu, MenuItem } from '../../base/ui/overlays/menu.tsx'
import { DataTable } from '../shared/lists/data-table.tsx'
import { useLast } from '../shared/lists/use-last.ts'
import { useDeleteSpot, useSpotCategories, useSwitchSpot, type useSpots } from './spot-queries.ts'
import { formatLocalDay } from './spot-form.ts'
import styles from './spots-screen.module.css'

export interface SpotTableProps {
  spots: ReturnType<typeof useSpots>
  addButton: ReactNode
  onEdit: (spot: AdminSpot) => void
}

export function SpotTable({ spots, addButton, onEdit }: SpotTableProps) {
  const [question, setQuestion] = useState<AdminSpot | null>(null)
  const asked = useLast(question)
  const deletion = useDeleteSpot(() => setQuestion(null))
  return (
    <div>
      <DataTable
        label="Spots"
        stacked
        tall
        query={spots}
        failedTitle="Failed to load the spots"
        columns={[
          'Spot',
          'Plays After',
          'State',
          { number: 'Shown' },
          { number: 'Completed' },
          { number: 'Clicked' },
          { number: 'Actions' },
        ]}
        empty={
          <EmptyState
            icon={<IconSpeakerphone />}
            title="No spots yet"
            message="Until you add one, free members see a silent card between songs that offers Premium, as often as the rules below allow."
            action={addButton}
          />
        }
      >
        {(spots.data?.data ?? []).map((spot) => (
          <SpotRow key={spot.id} spot={spot} onEdit={onEdit} onDelete={setQuestion} />
        ))}
      </DataTable>
      <ConfirmDialog
        open={question !== null}
        title={`Delete ${asked?.title ?? ''}`}
        message="It is no longer used, and its statistics are deleted."
        confirmLabel="Delete"
        tone="danger"
        busy={deletion.isPending}
        onConfirm={() => question && deletion.mutate(question)}
        onCancel={() => setQuestion(null)}
      />
    </div>
  )
}

interface SpotRowProps {
  spot: AdminSpot
  onEdit: (spot: AdminSpot) => void
  onDelete: (spot: AdminSpot) => void
}

function SpotRow({ spot, onEdit, onDelete }: SpotRowProps) {
  const switching = useSwitchSpot()
  const { title, kind, duration, is_on, shown, finished, clicked } = spot
  return (
    <tr>
      <th scope="row">
        <span className={styles.spot}>
          <span className={styles.picture}>
            <Cover
              url={spot.cover_url}
              tint={spot.cover_tint}
              placeholder={spot.cover_placeholder}
              title={title}
              sizes="40px"
            />
          </span>
          <span>
            <span className={styles.title}>{title}</span>
            <span className={styles.fact}>
              {kind === 'card'
                ? 'Card'
                : `Sound${duration > 0 ? `, ${formatClock(duration)}` : ''}`}
            </span>
          </span>
        </span>
      </th>
      <td data-label="Plays After">
        <SpotCategories spot={spot} />
      </td>
      <td data-label="State">
        <SpotStateBadge spot={spot} />
      </td>
      <td data-numeric data-label="Shown">
        {shown.toLocaleString('en')}
      </td>
      <td data-numeric data-label="Completed">
        {withShare(finished, shown)}
      </td>
      <td data-numeric data-label="Clicked">
        {withShare(clicked, shown)}
      </td>
      <td data-numeric data-corner>
        <Menu
          label={`Actions for ${title}`}
          trigger={
            <IconButton size="small" label={`Actions for ${title}`}>
              <IconDotsVertical />
            </IconButton>
          }
        >
          <MenuItem onSelect={() => onEdit(spot)}>Edit</MenuItem>
          <MenuItem onSelect={() => switching.mutate(spot)}>
            {is_on ? 'Turn Off' : 'Turn On'}
          </MenuItem>
          <MenuItem danger onSelect={() => onDelete(spot)}>
            Delete
          </MenuItem>
        </Menu>
      </td>
    </tr>
  )
}

function SpotCategories({ spot: { category_ids } }: { spot: AdminSpot }) {
  const categories = useSpotCategories()
  if (category_ids.length === 0) return 'All songs'
  const getCategoryName = (id: string) => categories.find(({ value }) => value === id)?.label
  return category_ids.map((id) => getCategoryName(id) ?? 'Deleted category').join(', ')
}

const states: Record<SpotState, ['success' | 'neutral' | 'danger' | 'warning', string]> = {
  on: ['success', 'On'],
  off: ['neutral', 'Off'],
  processing: ['warning', 'Processing'],
  failed: ['danger', 'Failed'],
  waiting: ['warning', 'Scheduled'],
  over: ['neutral', 'Ended'],
}

function SpotStateBadge({ spot }: { spot: AdminSpot }) {
  const { state, processing_error, starts_at, ends_at } = spot
  const [tone, stateLabel] = states[state]
  const dates = [
    starts_at && `from ${formatLocalDay(starts_at)}`,
    ends_at && `to ${formatLocalDay(ends_at)}`,
  ]
  return (
    <>
      <Badge tone={tone}>{stateLabel}</Badge>
      <small className={styles.fact}>
        {state === 'failed' ? processing_error : dates.filter(Boolean).join(' ')}
      </small>
    </>
  )
}

function withShare(count: number, shown: number): string {
  if (shown === 0) return count.toLocaleString('en')
  return `${count.toLocaleString('en')} (${Math.round((100 * count) / shown)} %)`
}
