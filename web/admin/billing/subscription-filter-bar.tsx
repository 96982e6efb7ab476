// The filters of the subscription list. Each takes effect as soon as it is changed.
import { subscriptionStatuses, tiers } from '#contract/plans.ts'
import { Select } from '../../base/ui/controls/select.tsx'
import { DayRange, FilterForm } from '../shared/lists/filter-form.tsx'
import { titleCase } from '../shared/format/title-case.ts'
import { UrlSearch } from '../shared/lists/url-search.tsx'
import { paymentMethodOptions } from '../people/billing-queries.ts'
import type { SubscriptionFilters } from './subscription-filters.ts'

const toOption = (value: string) => ({ value, label: titleCase(value) })
const tierOptions = tiers.map(toOption)
const statusOptions = subscriptionStatuses.map(toOption)
const paymentOptions = [
  { value: 'stripe', label: 'Stripe' },
  ...paymentMethodOptions,
  { value: 'none', label: 'No payment method' },
]
const noteOptions = [
  { value: 'with', label: 'With a note' },
  { value: 'without', label: 'Without a note' },
]

export function SubscriptionFilterBar({ filters }: { filters: SubscriptionFilters }) {
  const { values, change } = filters
  const { renews_from, renews_to } = values
  const hasMore = Boolean(renews_from || renews_to || values.notes)
  return (
    <FilterForm
      hasMore={hasMore}
      more={
        <>
          <DayRange
            label="Renewal date"
            from={renews_from}
            to={renews_to}
            onChange={({ from = renews_from, to = renews_to }) =>
              change({ renews_from: from, renews_to: to }, { replace: true })
            }
          />
          <Select
            label="Notes"
            hideLabel
            placeholder="Any note"
            options={noteOptions}
            value={values.notes}
            onChange={({ target }) => change({ notes: target.value })}
          />
        </>
      }
    >
      <UrlSearch
        label="Search subscriptions by email or name"
        placeholder="Search by email or name..."
        value={values.q}
        onSearch={(q) => change({ q }, { replace: true })}
      />
      <Select
        label="Filter by tier"
        hideLabel
        placeholder="All tiers"
        options={tierOptions}
        value={values.tier}
        onChange={({ target }) => change({ tier: target.value })}
      />
      <Select
        label="Filter by status"
        hideLabel
        placeholder="All statuses"
        options={statusOptions}
        value={values.status}
        onChange={({ target }) => change({ status: target.value })}
      />
      <Select
        label="Filter by payment method"
        hideLabel
        placeholder="All payment methods"
        options={paymentOptions}
        value={values.payment_method}
        onChange={({ target }) => change({ payment_method: target.value })}
      />
    </FilterForm>
  )
}
