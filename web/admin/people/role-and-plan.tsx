// A person's role and plan as text. A click opens a menu to change them. Each change requires confirmation.
import type { AdminUser } from '#contract/admin/admin-users.ts'
import { roles, tiers } from '#contract/plans.ts'
import { titleCase } from '../shared/format/title-case.ts'
import { ValueMenu } from '../shared/lists/value-menu.tsx'
import type { PersonQuestion } from './person-question.ts'

export const roleOptions = roles.map((value) => ({ value, label: titleCase(value) }))
export const tierOptions = tiers.map((value) => ({ value, label: titleCase(value) }))

export interface PersonMenuProps {
  user: AdminUser
  onAsk: (question: PersonQuestion) => void
}

export function RoleMenu({ user, isSelf, onAsk }: PersonMenuProps & { isSelf: boolean }) {
  return (
    <ValueMenu
      label={`Role of ${user.email}`}
      options={roleOptions}
      value={user.role}
      // Admins can't change their own role, so that they don't lose access. The server checks this, too.
      disabled={isSelf}
      onChoose={(role) => onAsk(role === 'banned' ? { kind: 'ban' } : { kind: 'role', role })}
    />
  )
}

export function PlanMenu({ user, onAsk }: PersonMenuProps) {
  return (
    <ValueMenu
      label={`Subscription of ${user.email}`}
      options={tierOptions}
      value={user.subscription_tier}
      onChoose={(tier) => onAsk({ kind: 'plan', tier })}
    />
  )
}
