// The Stripe tab: Premium prices, their price IDs in Stripe, and the webhook secret.
import { formatMoney } from '#contract/currencies.ts'
import { maxGraceDays, maxRetentionMonths, maxTrialDays } from '#contract/admin/admin-settings.ts'
import { PasswordField } from '../../base/ui/controls/password-field.tsx'
import { Switch } from '../../base/ui/controls/switch.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import type { SettingsTabProps } from './general-tab.tsx'
import { NumberSetting } from './number-setting.tsx'
import { ReferralFields } from './referral-fields.tsx'
import styles from './settings-screen.module.css'
import { TaxFields } from './tax-fields.tsx'

export interface StripeTabProps extends SettingsTabProps {
  /** The currency of the prices, as an ISO 4217 code in lower case. */
  currency: string
}

export function StripeTab({ form, onChange, onSubmit, currency }: StripeTabProps) {
  return (
    <form className={styles.fields} noValidate autoComplete="off" onSubmit={onSubmit}>
      <div className={styles.pair}>
        <NumberSetting
          {...{ form, onChange }}
          name="pricing_monthly_cents"
          label="Monthly Price (cents)"
          hint={describePrice(form.pricing_monthly_cents, currency, 'month')}
        />
        <NumberSetting
          {...{ form, onChange }}
          name="pricing_yearly_cents"
          label="Yearly Price (cents)"
          hint={describePrice(form.pricing_yearly_cents, currency, 'year')}
        />
        <TextField
          label="Stripe Price ID Monthly"
          placeholder="price_..."
          spellCheck={false}
          value={form.stripe_price_monthly}
          onChange={(event) => onChange({ stripe_price_monthly: event.target.value })}
        />
        <TextField
          label="Stripe Price ID Yearly"
          placeholder="price_..."
          spellCheck={false}
          value={form.stripe_price_yearly}
          onChange={(event) => onChange({ stripe_price_yearly: event.target.value })}
        />
      </div>
      <TrialFields form={form} onChange={onChange} />
      <TaxFields form={form} onChange={onChange} />
      <ReferralFields form={form} onChange={onChange} />
      <PasswordField
        label="Stripe Webhook Secret"
        secretName="secret"
        autoComplete="off"
        hint="The server only returns its last four characters."
        value={form.stripe_webhook_secret}
        onFocus={(event) => event.target.select()}
        onChange={(event) => onChange({ stripe_webhook_secret: event.target.value })}
      />
    </form>
  )
}

function TrialFields({ form, onChange }: Pick<SettingsTabProps, 'form' | 'onChange'>) {
  return (
    <>
      <div className={styles.pair}>
        <NumberSetting
          {...{ form, onChange }}
          name="trial_days_monthly"
          label="Free Trial Monthly (days)"
          max={maxTrialDays}
          hint="0 turns off trials. One trial per person and per card."
        />
        <NumberSetting
          {...{ form, onChange }}
          name="trial_days_yearly"
          label="Free Trial Yearly (days)"
          max={maxTrialDays}
        />
        <NumberSetting
          {...{ form, onChange }}
          name="grace_days"
          label="Grace Period (days)"
          max={maxGraceDays}
          hint="How long Premium lasts after a failed payment. Stripe retries during this time."
        />
        <NumberSetting
          {...{ form, onChange }}
          name="retention_percent"
          label="Retention Offer (percent off)"
          max={100}
          hint="Shown to members who cancel, once a year and not during a trial. 0 turns it off."
        />
        <NumberSetting
          {...{ form, onChange }}
          name="retention_months"
          label="Retention Offer (months)"
          min={1}
          max={maxRetentionMonths}
        />
      </div>
      <Switch
        label="Require a Card for Trials"
        hint="Without a card, a trial ends automatically, and nothing is charged"
        checked={form.trial_needs_card}
        onChange={(event) => onChange({ trial_needs_card: event.target.checked })}
      />
      <Switch
        label="Yearly Renewal Reminder"
        hint="An email 7 days before a yearly plan renews, with the price"
        checked={form.renewal_reminder}
        onChange={(event) => onChange({ renewal_reminder: event.target.checked })}
      />
    </>
  )
}

function describePrice(typed: string, currency: string, period: string): string {
  return `${formatMoney(Number.parseInt(typed, 10) || 0, currency)} per ${period}`
}
