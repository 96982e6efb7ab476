// Texts of the dialog that confirms a change of many people.
import type { BulkChange } from '#contract/admin/admin-bulk.ts'
import { statusOfTier } from '#contract/plans.ts'
import { formatCount } from '../../../base/format/format-duration.ts'
import { titleCase } from './title-case.ts'

export interface BulkWords {
  title: string
  message: string
  confirmLabel: string
  isDanger?: true
}

export function describeBulkChange(change: BulkChange, count: number): BulkWords {
  const people = formatCount(count, 'person', 'people')
  switch (change.kind) {
    case 'ban':
      return {
        title: `Ban ${people}?`,
        message:
          'They are signed out everywhere at once and cannot sign in until they are unbanned. What Stripe bills is paused until you activate it again.',
        confirmLabel: `Ban ${people}`,
        isDanger: true,
      }
    case 'unban':
      return {
        title: `Unban ${people}?`,
        message: 'Banned people among them can sign in again, with their previous role.',
        confirmLabel: `Unban ${people}`,
      }
    case 'role':
      return {
        title: `Change the role of ${people} to ${titleCase(change.role)}?`,
        message:
          change.role === 'admin'
            ? 'Admins can see and change everything in the back office. A ban stays.'
            : 'Admins among them lose the back office at once. A ban stays.',
        confirmLabel: 'Change Role',
        ...(change.role === 'admin' && { isDanger: true }),
      }
    case 'plan': {
      const status = change.status ?? statusOfTier(change.tier)
      return {
        title: `Change the plan of ${people} to ${titleCase(change.tier)}?`,
        message:
          status === 'active'
            ? 'They get Premium at once. Nobody is charged by this.'
            : 'They lose Premium at once. Nothing they made is deleted.',
        confirmLabel: 'Change Plan',
        ...(status !== 'active' && { isDanger: true }),
      }
    }
    case 'status':
      return {
        title: `Set the status of ${people} to ${titleCase(change.status)}?`,
        message:
          change.status === 'active'
            ? 'They get Premium at once, on the plan that each of them has. Nobody is charged by this.'
            : 'They lose Premium at once. Each of them keeps the plan as it is.',
        confirmLabel: 'Set Status',
        ...(change.status !== 'active' && { isDanger: true }),
      }
    case 'payment_method':
      return {
        title: `Change the payment method of ${people}?`,
        message: 'It is noted on their manual subscriptions. No money moves.',
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
