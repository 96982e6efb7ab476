// Texts of the dialog that asks for confirmation before several people are changed at once.
import type { BulkChange } from '#contract/admin/admin-bulk.ts'
import { getTierStatus } from '#contract/plans.ts'
import { formatCount } from '../../../base/format/format-duration.ts'
import { titleCase } from './title-case.ts'

export interface BulkChangeTexts {
  title: string
  message: string
  confirmLabel: string
  isDanger?: true
}

export function describeBulkChange(change: BulkChange, count: number): BulkChangeTexts {
  const people = formatCount(count, 'person', 'people')
  switch (change.kind) {
    case 'ban':
      return {
        title: `Ban ${people}?`,
        message:
          'They are signed out everywhere immediately and cannot sign in until they are unbanned. Stripe charges are paused until you activate the subscriptions again.',
        confirmLabel: `Ban ${people}`,
        isDanger: true,
      }
    case 'unban':
      return {
        title: `Unban ${people}?`,
        message: 'Those who are banned can sign in again, with their previous role.',
        confirmLabel: `Unban ${people}`,
      }
    case 'role':
      return {
        title: `Change the role of ${people} to ${titleCase(change.role)}?`,
        message:
          change.role === 'admin'
            ? 'Admins can see and change everything in the back office. Bans remain in place.'
            : 'Any admins among them lose access to the back office immediately. Bans remain in place.',
        confirmLabel: 'Change Role',
        ...(change.role === 'admin' && { isDanger: true }),
      }
    case 'plan': {
      const status = change.status ?? getTierStatus(change.tier)
      return {
        title: `Change the plan of ${people} to ${titleCase(change.tier)}?`,
        message:
          status === 'active'
            ? 'They get Premium immediately. They are not charged.'
            : 'They lose Premium immediately. Nothing they created is deleted.',
        confirmLabel: 'Change Plan',
        ...(status !== 'active' && { isDanger: true }),
      }
    }
    case 'status':
      return {
        title: `Set the status of ${people} to ${titleCase(change.status)}?`,
        message:
          change.status === 'active'
            ? 'They get Premium immediately, on their current plan. They are not charged.'
            : 'They lose Premium immediately. Their plan does not change.',
        confirmLabel: 'Set Status',
        ...(change.status !== 'active' && { isDanger: true }),
      }
    case 'payment_method':
      return {
        title: `Change the payment method of ${people}?`,
        message: 'It is recorded on their manual subscriptions. No money moves.',
        confirmLabel: 'Change Payment Method',
      }
    case 'note':
      return {
        title: `${change.note ? 'Replace' : 'Remove'} the note of ${people}?`,
        message: change.note
          ? `Replaces the notes on their subscriptions with: “${change.note}”`
          : 'Removes the notes on their subscriptions.',
        confirmLabel: change.note ? 'Replace Note' : 'Remove Note',
        isDanger: true,
      }
  }
}
