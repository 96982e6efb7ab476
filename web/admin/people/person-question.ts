// Texts of the dialog that asks for confirmation before a person's role, plan or account is changed.
import type { AdminUser } from '#contract/admin/admin-users.ts'
import { getTierStatus, type Role, type Tier } from '#contract/plans.ts'
import { titleCase } from '../shared/format/title-case.ts'

export type PersonQuestion =
  | { kind: 'role'; role: Exclude<Role, 'banned'> }
  | { kind: 'plan'; tier: Tier }
  | { kind: 'ban' }
  | { kind: 'two-factor-off' }
  | { kind: 'delete' }

export interface QuestionTexts {
  title: string
  message: string
  confirmLabel: string
  isDanger: boolean
}

type DescribedUser = Pick<AdminUser, 'email' | 'display_name' | 'role' | 'subscription_tier'>

const articles: Record<Exclude<Role, 'banned'>, string> = {
  admin: 'an admin',
  editor: 'an editor',
  creator: 'a creator',
  member: 'a member',
}

export function describeQuestion(user: DescribedUser, question: PersonQuestion): QuestionTexts {
  const name = user.display_name || user.email
  switch (question.kind) {
    case 'role':
      return {
        title: `Make ${name} ${articles[question.role]}?`,
        message: [
          question.role === 'admin'
            ? 'Admins can see and change everything in the back office: music, people, plans and settings.'
            : `Their role changes from ${titleCase(user.role)} to ${titleCase(question.role)}.`,
          user.role === 'admin' && 'They lose access to the back office immediately.',
          user.role === 'banned' && 'This lifts the ban: they can sign in again.',
        ]
          .filter(Boolean)
          .join(' '),
        confirmLabel: 'Change Role',
        isDanger: question.role === 'admin' || user.role === 'admin',
      }
    case 'plan': {
      const isActive = getTierStatus(question.tier) === 'active'
      const [was, is] = [titleCase(user.subscription_tier), titleCase(question.tier)]
      return {
        title: `Change the plan of ${name} to ${is}?`,
        message: isActive
          ? `The plan changes from ${was} to ${is} and takes effect immediately. They are not charged.`
          : `The plan changes from ${was} to ${is} and Premium ends immediately. If Stripe bills them, that subscription is canceled. Past payments are not refunded, and nothing they created is deleted.`,
        confirmLabel: 'Change Plan',
        isDanger: !isActive,
      }
    }
    case 'ban':
      return {
        title: `Ban ${user.email}`,
        message:
          'They are signed out everywhere immediately and cannot sign in until they are unbanned. If Stripe bills them, charges are paused until you activate the subscription again.',
        confirmLabel: 'Ban',
        isDanger: true,
      }
    case 'two-factor-off':
      return {
        title: `Turn off two-factor for ${name}?`,
        message:
          'Their password alone will be enough to sign in. First confirm that the request really comes from them. They are notified by email.',
        confirmLabel: 'Turn Off',
        isDanger: true,
      }
    case 'delete':
      return {
        title: `Delete ${user.email}`,
        message:
          'This deletes the account with its playlists, likes and personal data. The audit log stays. This action cannot be undone.',
        confirmLabel: 'Delete',
        isDanger: true,
      }
  }
}
