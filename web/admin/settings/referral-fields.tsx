// Fields for referrals: the free months that a member and the referred friend get.
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
        label="Referral Reward (months for both)"
        max={maxReferralMonths}
        hint="Members get a referral link. Both get free months after the friend has paid. 0 turns off referrals."
      />
      <NumberSetting
        {...{ form, onChange }}
        name="referral_yearly_limit"
        label="Referrals per Member and Year"
        min={1}
        max={maxReferralLimit}
      />
      <NumberSetting
        {...{ form, onChange }}
        name="referral_wait_days"
        label="Waiting Period After Payment (days)"
        max={maxReferralWaitDays}
        hint="Payments refunded within this period earn no reward."
      />
    </div>
  )
}
