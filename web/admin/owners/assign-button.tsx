// Assigns tracks, releases or artists to a creator, or returns them to the service, with Undo.
import { IconUserShare } from '#web/base/ui/icons/icons.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { listUsers } from '#contract/admin/admin-users.ts'
import { changeOwners, maxOwnedItems, type OwnedItem } from '#contract/creators/owners.ts'
import { call } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Checkbox } from '../../base/ui/controls/checkbox.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import layout from '../../base/ui/layout/layout.module.css'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { showReason } from '../shared/admin-failure.ts'
import { offerUndo } from '../shared/offer-undo.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'

export interface AssignButtonProps {
  items: readonly Pick<OwnedItem, 'kind' | 'id'>[]
  /** The items to assign, as text: '3 tracks' or a title. */
  what: string
  onDone?: () => void
}

const changedLists = ['owners', 'tracks', 'releases', 'artists', 'reviews'] as const

export function AssignButton({ items, what, onDone }: AssignButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button size="small" icon={<IconUserShare />} onClick={() => setIsOpen(true)}>
        Assign to Creator
      </Button>
      <Dialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={`Assign ${what} to a creator`}
        description="The creator sees these items and their statistics, including past plays. They can edit drafts; publishing still requires an editor."
      >
        <AssignForm
          {...{ items, what }}
          onClose={() => setIsOpen(false)}
          onDone={() => {
            setIsOpen(false)
            onDone?.()
          }}
        />
      </Dialog>
    </>
  )
}

/** The option that returns the items to the service. No creator's id has this form. */
const noOwner = 'nobody'

function AssignForm({
  items,
  what,
  onClose,
  onDone,
}: AssignButtonProps & { onClose: () => void; onDone: () => void }) {
  const creators = useCreators()
  const [owner, setOwner] = useState('')
  const [withParts, setWithParts] = useState(true)
  const hasParts = items.some(({ kind }) => kind !== 'track')
  const assigning = useAssign(what, onDone)
  if (creators.error) {
    return (
      <ErrorState
        title="Failed to load creators"
        message={errorText(creators.error)}
        busy={creators.isFetching}
        onRetry={() => void creators.refetch()}
      />
    )
  }
  if (!creators.data) return <Skeleton height="6rem" />
  const owner_id = owner === noOwner ? null : owner
  const give = () =>
    assigning.mutate({
      items: items.map(({ kind, id }) => ({ kind, id, owner_id })),
      with_parts: hasParts && withParts && owner_id !== null,
    })
  // Not a form element, because forms can't be nested: the button is also in the form of a track or artist.
  return (
    <div className={layout.stack3}>
      <Select
        label="Creator"
        placeholder="Select a creator"
        hint={
          creators.data.length === 0
            ? 'No one has this role yet. You can change a person’s role under Users.'
            : undefined
        }
        options={[...creators.data, { value: noOwner, label: 'None (owned by the service)' }]}
        value={owner}
        onChange={({ target }) => setOwner(target.value)}
      />
      {hasParts && owner !== noOwner && (
        <Checkbox
          label="Include their tracks and releases that have no owner"
          checked={withParts}
          onChange={({ target }) => setWithParts(target.checked)}
        />
      )}
      <div className={layout.line2}>
        <Button
          variant="primary"
          disabled={owner === '' || items.length > maxOwnedItems}
          busy={assigning.isPending}
          onClick={give}
        >
          {owner === noOwner ? 'Remove Owner' : 'Assign'}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

function useCreators() {
  return useQuery({
    queryKey: ['admin', 'users', 'creators'],
    queryFn: async ({ signal }) => {
      const query = {
        role: 'creator',
        sort: 'display_name',
        direction: 'asc',
        page_size: 200,
      } as const
      const { data } = await call(listUsers, { query }, { signal })
      return data.map(({ id, display_name, email }) => ({
        value: id,
        label: display_name ? `${display_name}, ${email}` : email,
      }))
    },
  })
}

interface Gift {
  items: OwnedItem[]
  with_parts: boolean
}

function useAssign(what: string, onDone: () => void) {
  const queryClient = useQueryClient()
  return useAdminMutation<Gift, { data: OwnedItem[] }>({
    run: (body) => call(changeOwners, { body }),
    refresh: changedLists,
    onDone({ data }, { items }) {
      const isBack = items[0]?.owner_id === null
      const count = formatCount(data.length, 'item', 'items')
      const title = isBack ? `${what}: owner of ${count} removed` : `${what}: ${count} assigned`
      if (data.length > 0) {
        offerUndo(queryClient, title, changedLists, {
          restore: async () => {
            for (let at = 0; at < data.length; at += maxOwnedItems) {
              await call(changeOwners, { body: { items: data.slice(at, at + maxOwnedItems) } })
            }
          },
          done: 'Previous owners restored',
          failed: 'Failed to restore the previous owners',
        })
      }
      onDone()
    },
    failed: (error) => showReason(error, 'Failed to assign to the creator'),
  })
}
