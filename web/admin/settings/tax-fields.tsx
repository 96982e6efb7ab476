// Fields for tax on purchases, and for the owner's details on invoices and receipts.
import { tryCheckout } from '#contract/admin/money/admin-prices.ts'
import { taxModes, type TaxMode } from '#contract/admin/admin-settings.ts'
import { useState } from 'react'
import { call } from '../../base/api/api.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { TextArea } from '../../base/ui/controls/text-area.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import textStyles from '../../base/ui/layout/text.module.css'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import type { SettingsTabProps } from './general-tab.tsx'
import styles from './settings-screen.module.css'

const labels: Record<TaxMode, string> = {
  off: 'Off',
  stripe_tax: 'Stripe Tax',
  managed: 'Managed Payments',
}
const taxOptions = taxModes.map((value) => ({ value, label: labels[value] }))

const hints: Record<TaxMode, string> = {
  off: 'No tax is calculated. Prices are charged as entered.',
  stripe_tax:
    'First enter your head office and tax registrations under Tax in Stripe. Prices include tax.',
  managed:
    'First activate Managed Payments in Stripe. Stripe then acts as the seller and pays the tax. Only for new subscriptions, and only if Stripe supports your country and music.',
}

export function TaxFields({ form, onChange }: Pick<SettingsTabProps, 'form' | 'onChange'>) {
  return (
    <>
      <Select
        label="Tax"
        options={taxOptions}
        hint={hints[form.tax_mode]}
        value={form.tax_mode}
        onChange={({ target }) =>
          onChange({ tax_mode: taxModes.find((one) => one === target.value) ?? 'off' })
        }
      />
      <CheckoutTrial />
      <div className={styles.pair}>
        <TextField
          label="Name on Invoices"
          maxLength={140}
          hint="This and the next three fields appear on invoices and receipts."
          value={form.invoice_name}
          onChange={({ target }) => onChange({ invoice_name: target.value })}
        />
        <TextField
          label="Tax ID"
          maxLength={140}
          value={form.invoice_tax_id}
          onChange={({ target }) => onChange({ invoice_tax_id: target.value })}
        />
        <TextArea
          label="Address"
          rows={3}
          maxLength={400}
          value={form.invoice_address}
          onChange={({ target }) => onChange({ invoice_address: target.value })}
        />
        <TextArea
          label="Invoice Footer"
          rows={3}
          maxLength={1000}
          value={form.invoice_footer}
          onChange={({ target }) => onChange({ invoice_footer: target.value })}
        />
      </div>
    </>
  )
}

/** Button that creates a test payment page. Stripe reports missing tax settings only when such a page is created. */
function CheckoutTrial() {
  const [resultText, setResultText] = useState<string>()
  const testing = useAdminMutation({
    run: () => call(tryCheckout, {}),
    refresh: [],
    onDone: (result) =>
      setResultText(
        result.is_accepted
          ? 'Checkout works: Stripe opened the payment page.'
          : `Stripe could not open the payment page. Its response: ${result.answer}`,
      ),
    failed: 'Failed to test checkout',
  })
  return (
    <div>
      <Button size="small" busy={testing.isPending} onClick={() => testing.mutate()}>
        Test Checkout
      </Button>{' '}
      <span className={textStyles.softSmall} role="status">
        {resultText ?? 'Uses the saved settings. Nothing is charged.'}
      </span>
    </div>
  )
}
