// What needs a look, above the list of subscriptions.
import type { ComponentProps } from 'react'
import { PriceChangeNotice } from '../prices/price-change-notice.tsx'
import { usePrices } from '../prices/price-queries.ts'
import { AtRisk } from './at-risk.tsx'
import { Cancellations, useCancellations } from './cancellations.tsx'
import { OpenRefunds, useOpenRefunds } from './open-refunds.tsx'

/** Notices and list appear together: one after the other they would push each other down. */
export function useBillingNoticesPending(): boolean {
  return [usePrices(), useOpenRefunds(), useCancellations()].some(({ isPending }) => isPending)
}

export function BillingNotices({ atRisk }: { atRisk: ComponentProps<typeof AtRisk>['payments'] }) {
  return (
    <>
      <PriceChangeNotice />
      <AtRisk payments={atRisk} />
      <OpenRefunds />
      <Cancellations />
    </>
  )
}
