// Form for the Premium prices: currency, amounts, and whether they apply to existing members. The server creates the
// prices in Stripe.
import { useId, useState, type FormEvent } from 'react'
import type { Prices } from '#contract/admin/money/admin-prices.ts'
import { currencies } from '#contract/currencies.ts'
import { errorText } from '../../base/api/show-error.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import textStyles from '../../base/ui/layout/text.module.css'
import {
  firstEffectiveDay,
  formOfPrices,
  pricesOfForm,
  type PriceForm,
  type PriceProblems,
} from './price-form.ts'
import { usePrices, useSetPrices } from './price-queries.ts'
import styles from './prices-panel.module.css'

const names = new Intl.DisplayNames('en', { type: 'currency' })
const currencyOptions = currencies
  .map((value) => ({ value, label: `${value.toUpperCase()} – ${names.of(value.toUpperCase())}` }))
  .toSorted((a, b) => a.label.localeCompare(b.label))

const whoOptions = [
  { value: 'new', label: 'New members only' },
  { value: 'everyone', label: 'Everyone, with advance notice' },
]

export function PricesPanel() {
  const headingId = useId()
  const { data, error, isFetching, refetch } = usePrices()
  return (
    <section className={styles.panel} aria-labelledby={headingId}>
      <h2 id={headingId} className={styles.heading}>
        Prices in Stripe
      </h2>
      {data ? (
        <PricesEditor prices={data} />
      ) : error ? (
        <ErrorState
          title="Failed to load the prices"
          message={errorText(error)}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <Skeleton height="14rem" />
      )}
    </section>
  )
}

function PricesEditor({ prices }: { prices: Prices }) {
  const [firstDay] = useState(() => firstEffectiveDay(new Date()))
  const [form, setForm] = useState(() => formOfPrices(prices, new Date()))
  const { form: element, problems, showProblems } = useProblems<PriceProblems>()
  const saving = useSetPrices(() => setForm((now) => ({ ...now, who: 'new' })))
  const change = (changes: Partial<PriceForm>) => setForm({ ...form, ...changes })
  if (!prices.is_configured) {
    return (
      <p className={textStyles.soft}>
        Stripe is not connected. Enter a key under Your Stripe Account to set prices here and create
        them in Stripe.
      </p>
    )
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    const { body, problems: found } = pricesOfForm(form, new Date())
    if (!showProblems(found) && body && !saving.isPending) saving.mutate(body)
  }
  return (
    <form ref={element} className={styles.form} noValidate autoComplete="off" onSubmit={submit}>
      <p className={textStyles.soft}>
        Saving creates these prices in Stripe, updates the fields above, and archives the previous
        prices.
      </p>
      <MadeNote prices={prices} />
      <div className={styles.fields}>
        <Select
          label="Currency"
          options={currencyOptions}
          value={form.currency}
          onChange={({ target }) => change({ currency: target.value })}
        />
        <TextField
          label="Monthly Price"
          inputMode="decimal"
          value={form.monthly}
          error={problems.monthly}
          onChange={({ target }) => change({ monthly: target.value })}
        />
        <TextField
          label="Yearly Price"
          inputMode="decimal"
          value={form.yearly}
          error={problems.yearly}
          onChange={({ target }) => change({ yearly: target.value })}
        />
        <Select
          label="Applies To"
          options={whoOptions}
          hint={
            form.who === 'new'
              ? 'Existing subscribers keep their price.'
              : 'Existing subscribers are emailed now with both prices, the date and how to cancel.'
          }
          value={form.who}
          onChange={({ target }) => change({ who: target.value === 'new' ? 'new' : 'everyone' })}
        />
        {form.who === 'everyone' && (
          <TextField
            label="From"
            type="date"
            min={firstDay}
            hint="Each member pays the new price from their first renewal on or after this date."
            value={form.effective_on}
            error={problems.effective_on}
            onChange={({ target }) => change({ effective_on: target.value })}
          />
        )}
      </div>
      <span>
        <Button type="submit" variant="primary" busy={saving.isPending}>
          {form.who === 'new' ? 'Save Prices' : 'Save Prices and Notify Members'}
        </Button>
      </span>
    </form>
  )
}

function MadeNote({ prices: { made } }: { prices: Prices }) {
  if (made === null || made.state === 'made') return null
  return (
    <p className={styles.note} role="status" data-refused={made.state === 'refused' || undefined}>
      {made.state === 'making'
        ? 'Stripe has not responded yet. The new prices are created when it does. Until then, the previous prices apply.'
        : `Stripe rejected the last prices, so the previous prices still apply. Stripe’s response: ${made.failure}`}
    </p>
  )
}
