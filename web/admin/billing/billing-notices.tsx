// Notices above the list of subscriptions: price changes, open refunds and cancellations.
import type { ComponentProps } from 'react'
import { PriceChangeNotice } from '../prices/price-change-notice.tsx'
import { usePrices } from '../prices/price-queries.ts'
import { AtRisk } from './at-risk.tsx'
import { Cancellations, useCancellations } from './cancellations.tsx'
import { OpenRefunds, useOpenRefunds } from './open-refunds.tsx'

/** Returns true until all notices have loaded. The list is shown only after that, so that no notice pushes it down. */
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
