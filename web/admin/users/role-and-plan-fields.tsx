// Fields for the role and plan of a new account or of an invitation.
import { storedRoles, tiers } from '#contract/plans.ts'
import { Select } from '../../base/ui/controls/select.tsx'
import styles from '../shared/dialog-form.module.css'
import { titleCase } from '../shared/format/title-case.ts'

const toOption = (value: string) => ({ value, label: titleCase(value) })
const roleOptions = storedRoles.map(toOption)
const tierOptions = tiers.map(toOption)

/** The role and plan that the account gets. */
export interface RoleAndPlan {
  role: (typeof storedRoles)[number]
  subscription_tier: (typeof tiers)[number]
}

export const defaultRoleAndPlan: RoleAndPlan = { role: 'member', subscription_tier: 'free' }

const roleHints: Record<RoleAndPlan['role'], string> = {
  admin: 'Full access, including members and billing.',
  editor: 'The catalogue and curated playlists. No access to members or billing.',
  creator: 'Their own tracks and releases, as drafts until an editor publishes them.',
  member: 'Can listen. No access to the back office.',
}

interface RoleFieldProps {
  value: RoleAndPlan['role']
  onChange: (role: RoleAndPlan['role']) => void
}

export function RoleField({ value, onChange }: RoleFieldProps) {
  return (
    <Select
      label="Role"
      options={roleOptions}
      hint={roleHints[value]}
      value={value}
      onChange={(event) => onChange(event.target.value as RoleAndPlan['role'])}
    />
  )
}

interface RoleAndPlanFieldsProps {
  value: RoleAndPlan
  onChange: (changes: Partial<RoleAndPlan>) => void
}

export function RoleAndPlanFields({ value, onChange }: RoleAndPlanFieldsProps) {
  return (
    <div className={styles.pair}>
      <RoleField value={value.role} onChange={(role) => onChange({ role })} />
      <Select
        label="Plan"
        options={tierOptions}
        value={value.subscription_tier}
        onChange={(event) =>
          onChange({ subscription_tier: event.target.value as RoleAndPlan['subscription_tier'] })
        }
      />
    </div>
  )
}
