// What members and friends get for a friend who becomes Premium.
import {
  maxReferralLimit,
  maxReferralMonths,
  maxReferralWaitDays,
} from '#contract/admin/admin-settings.ts'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import type { SettingsTabProps } from './general-tab.tsx'
import styles from './settings-screen.module.css'

export function ReferralFields({ form, onChange }: Pick<SettingsTabProps, 'form' | 'onChange'>) {
  return (
    <div className={styles.pair}>
      <TextField
        label="Bring a Friend (months for both)"
        type="number"
        inputMode="numeric"
        min={0}
        max={maxReferralMonths}
        hint="Members get a link. Both get months once the friend has paid. 0: no links."
        value={form.referral_months}
        onChange={(event) => onChange({ referral_months: event.target.value })}
      />
      <TextField
        label="Friends per Member and Year"
        type="number"
        inputMode="numeric"
        min={1}
        max={maxReferralLimit}
        value={form.referral_yearly_limit}
        onChange={(event) => onChange({ referral_yearly_limit: event.target.value })}
      />
      <TextField
        label="Wait After the Payment (days)"
        type="number"
        inputMode="numeric"
        min={0}
        max={maxReferralWaitDays}
        hint="A payment that is refunded in this time earns nothing."
        value={form.referral_wait_days}
        onChange={(event) => onChange({ referral_wait_days: event.target.value })}
      />
    </div>
  )
}
