// Lists invitations that are not accepted yet, with sender and date, and buttons to resend or revoke each.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  listInvitations,
  resendInvitation,
  revokeInvitation,
  type Invitation,
} from '#contract/admin/admin-invitations.ts'
import { call } from '../../base/api/api.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Badge, type BadgeProps } from '../../base/ui/display/badge.tsx'
import textStyles from '../../base/ui/layout/text.module.css'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { formatDay, formatShortMoment } from '../shared/format/format-moment.ts'
import { titleCase } from '../shared/format/title-case.ts'
import { DataTable } from '../shared/lists/data-table.tsx'
import { PageNote } from '../shared/lists/page-note.tsx'
import { useLast } from '../shared/lists/use-last.ts'
import { PersonLink } from '../shared/person-link.tsx'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import styles from './open-invitations.module.css'

/** Polling interval while invitation emails are queued. */
const pollMs = 10_000

const states: Record<Invitation['state'], [stateLabel: string, tone: BadgeProps['tone']]> = {
  waiting: ['Waiting to be sent', 'info'],
  open: ['Open', 'success'],
  expired: ['Expired', 'warning'],
  void: ['Void', 'danger'],
}

function useInvitations(page: number) {
  return useQuery({
    queryKey: ['admin', 'users', 'invitations', page],
    queryFn: ({ signal }) => call(listInvitations, { query: { page } }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.data.some((row) => row.state === 'waiting') ? pollMs : false,
  })
}

/** Collapsed at first, so that nothing below moves when the number of invitations loads. */
export function OpenInvitations() {
  const [page, setPage] = useState(1)
  const invitations = useInvitations(page)
  const [revoked, setRevoked] = useState<Invitation | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const shown = useLast(revoked)
  const revocation = useAdminMutation<Invitation>({
    run: ({ id }) => call(revokeInvitation, { params: { id } }),
    refresh: ['users'],
    done: 'Invitation revoked',
    onDone: () => setRevoked(null),
    failed: 'Failed to revoke the invitation',
  })
  const { data: rows = [], pagination } = invitations.data ?? {}
  const total = pagination?.total
  const lastPage = Math.max(1, pagination?.total_pages ?? 1)
  if (pagination && page > lastPage) setPage(lastPage)
  return (
    <details className={styles.box} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className={styles.summary}>
        Open invitations{total !== undefined && ` (${total.toLocaleString('en')})`}
      </summary>
      {isOpen && (
        <DataTable
          label="Open invitations"
          columnCount={6}
          stacked
          hasDensitySwitch={false}
          query={invitations}
          failedTitle="Failed to load the invitations"
          head={<InvitationColumns />}
          empty={<p className={textStyles.soft}>No open invitations.</p>}
          footer={
            pagination &&
            lastPage > 1 && (
              <PageNote label="Open invitations" pagination={pagination} onChange={setPage} />
            )
          }
        >
          {rows.map((row) => (
            <InvitationRow key={row.id} invitation={row} onRevoke={() => setRevoked(row)} />
          ))}
        </DataTable>
      )}
      <ConfirmDialog
        open={revoked !== null}
        title={`Revoke the invitation for ${shown?.email ?? ''}?`}
        message="The link in the email stops working. You can invite this person again."
        confirmLabel="Revoke"
        busy={revocation.isPending}
        onConfirm={() => revoked && revocation.mutate(revoked)}
        onCancel={() => setRevoked(null)}
      />
    </details>
  )
}

function InvitationColumns() {
  return (
    <>
      <th scope="col">Email</th>
      <th scope="col" data-wide>
        Role and plan
      </th>
      <th scope="col">Invited by</th>
      <th scope="col">Sent</th>
      <th scope="col">State</th>
      <th scope="col">Actions</th>
    </>
  )
}

interface InvitationRowProps {
  invitation: Invitation
  onRevoke: () => void
}

function InvitationRow({ invitation, onRevoke }: InvitationRowProps) {
  const { id, email, display_name, role, subscription_tier, state, invited_by } = invitation
  const { sent_at, expires_at } = invitation
  const [stateLabel, tone] = states[state]
  const resendLabel = sent_at ? 'Send Again' : 'Send Now'
  const resending = useAdminMutation({
    run: () => call(resendInvitation, { params: { id } }),
    refresh: ['users'],
    done: 'Invitation sent again',
    failed: 'Failed to send the invitation',
  })
  return (
    <tr>
      <th scope="row" className={styles.email}>
        <bdi>{email}</bdi>
        {display_name && <small className={styles.small}>{display_name}</small>}
      </th>
      <td data-label="Role and plan" data-wide>
        {titleCase(role)}, {titleCase(subscription_tier)}
      </td>
      <td data-label="Invited by">
        {invited_by ? (
          <PersonLink id={invited_by.id} email={invited_by.email} name={invited_by.display_name} />
        ) : (
          <span className={textStyles.faint}>Deleted account</span>
        )}
      </td>
      <td data-label="Sent">
        {sent_at ? (
          <time dateTime={sent_at}>{formatShortMoment(sent_at)}</time>
        ) : (
          <span className={textStyles.faint}>Not yet</span>
        )}
      </td>
      <td data-label="State">
        <Badge tone={tone}>{stateLabel}</Badge>
        {state === 'open' && <small className={styles.small}>until {formatDay(expires_at)}</small>}
        {state === 'void' && (
          <small className={styles.small}>The sender is no longer an admin</small>
        )}
      </td>
      <td className={styles.actions}>
        <Button
          size="small"
          disabled={state === 'void'}
          busy={resending.isPending}
          aria-label={`${resendLabel} to ${email}`}
          onClick={() => resending.mutate()}
        >
          {resendLabel}
        </Button>
        <Button
          size="small"
          variant="danger"
          aria-label={`Revoke the invitation for ${email}`}
          onClick={onRevoke}
        >
          Revoke
        </Button>
      </td>
    </tr>
  )
}
