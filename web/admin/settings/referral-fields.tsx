// What members and friends get for a friend who becomes Premium.
import {
  maxReferralLimit,
  maxReferralMonths,
  maxReferralWaitDays,
} from '#contract/admin/admin-settings.ts'
import type { SettingsTabProps } from './general-tab.tsx'
import { NumberSetting } from './number-setting.tsx'
import styles from './settings-screen.module.css'

export function ReferralFields({ form, onChange }: Pick<SettingsTabProps, 'form' | 'onChange'>) {
  return (
    <div className={styles.pair}>
      <NumberSetting
        {...{ form, onChange }}
        name="referral_months"
        label="Bring a Friend (months for both)"
        max={maxReferralMonths}
        hint="Members get a link. Both get months once the friend has paid. 0: no links."
      />
      <NumberSetting
        {...{ form, onChange }}
        name="referral_yearly_limit"
        label="Friends per Member and Year"
        min={1}
        max={maxReferralLimit}
      />
      <NumberSetting
        {...{ form, onChange }}
        name="referral_wait_days"
        label="Wait After the Payment (days)"
        max={maxReferralWaitDays}
        hint="A payment that is refunded in this time earns nothing."
      />
    </div>
  )
}
