// Bar at the bottom of the window with actions for the selected people. Each change is confirmed first, in a dialog
// that shows the number of people. It then applies to all of them or to none.
import { IconX } from '#web/base/ui/icons/icons.ts'
import { useState, type ReactNode } from 'react'
import { bulkLimit, changePeople, type BulkChange } from '#contract/admin/admin-bulk.ts'
import type { CallInput, Output } from '#contract/endpoint.ts'
import { call } from '../../../base/api/api.ts'
import { formatCount } from '../../../base/format/format-duration.ts'
import { Button } from '../../../base/ui/controls/button.tsx'
import { ConfirmDialog } from '../../../base/ui/overlays/confirm-dialog.tsx'
import { IconButton } from '../../../base/ui/controls/icon-button.tsx'
import { describeBulkChange } from '../format/describe-bulk-change.ts'
import bar from './selection-bar.module.css'
import { useAdminMutation } from '../use-admin-mutation.ts'
import { useLast } from './use-last.ts'
import type { RowSelection } from './use-selection.ts'
import textStyles from '../../../base/ui/layout/text.module.css'

type Selection = CallInput<typeof changePeople>['body']['selection']

export interface PeopleBarProps {
  selection: RowSelection
  /** The number of people who match the filters. */
  total: number
  /** The filters of the list. They are sent instead of ids when all matching people are selected. */
  matching: Selection
  /** Renders the buttons. `openConfirm` opens the dialog that confirms a change. */
  actions: (openConfirm: (change: BulkChange) => void) => ReactNode
  /** Buttons for actions that work for any number of people. */
  extra?: ReactNode
}

export function PeopleBar({ selection, total, matching, actions, extra }: PeopleBarProps) {
  const [pendingChange, setPendingChange] = useState<BulkChange | null>(null)
  const shown = useLast(pendingChange)
  const { count, isAll, chosen } = selection
  const chosenSelection: Selection = isAll ? matching : { ids: [...chosen] }
  const changing = useAdminMutation<BulkChange, Output<typeof changePeople>>({
    run: (change) => call(changePeople, { body: { selection: chosenSelection, change } }),
    refresh: ['users', 'billing', 'insights'],
    done: ({ changed }) => `${formatCount(changed, 'person', 'people')} changed`,
    onDone() {
      setPendingChange(null)
      selection.clear()
    },
    failed: 'Failed to change these people',
  })
  if (count === 0 && pendingChange === null) return null
  const texts = shown && describeBulkChange(shown, count)
  const isTooMany = count > bulkLimit
  return (
    <div className={bar.bar} data-lower-bar role="region" aria-label="Selected people">
      <span className={bar.count} role="status">
        {formatCount(count, 'person', 'people')} selected
      </span>
      {!isAll && chosen.size > 1 && chosen.size < total && (
        <Button size="small" variant="quiet" onClick={selection.chooseAll}>
          {' '}
          Select all {total.toLocaleString('en')} matching{' '}
        </Button>
      )}
      {isTooMany && (
        <span className={textStyles.softSmall}>
          You can change up to {bulkLimit} people at a time. Narrow the filters.
        </span>
      )}
      <div className={bar.actions}>
        {!isTooMany && actions(setPendingChange)}
        {extra}
      </div>
      <IconButton label="Clear selection" size="small" onClick={selection.clear}>
        <IconX />
      </IconButton>
      <ConfirmDialog
        open={pendingChange !== null}
        title={texts?.title ?? ''}
        message={texts?.message ?? ''}
        confirmLabel={texts?.confirmLabel ?? ''}
        tone={texts?.isDanger ? 'danger' : 'neutral'}
        busy={changing.isPending}
        onConfirm={() => pendingChange && changing.mutate(pendingChange)}
        onCancel={() => setPendingChange(null)}
      />
    </div>
  )
}
