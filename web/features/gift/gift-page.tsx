// The /gift screen, on which members redeem or buy a gift.
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { giftReturnParam } from '#contract/gifts.ts'
import { errorText } from '../../base/api/show-error.ts'
import { Card } from '../../base/ui/display/card.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { GiftForm } from './gift-form.tsx'
import { GiftList } from './gift-list.tsx'
import styles from './gift-page.module.css'
import { giftsQuery } from './gift-queries.ts'
import { RedeemForm } from './redeem-form.tsx'

export function GiftPage() {
  useCheckoutReturn()
  const gifts = useQuery(giftsQuery)
  return (
    <div className={styles.page}>
      <header>
        <h1 className={styles.title}>Premium as a gift</h1>
        <p className={styles.text}>Paid once. Nothing renews.</p>
      </header>
      <Card
        title="Redeem a Gift"
        description="Enter the code from the email or from a printed gift."
      >
        <RedeemForm />
      </Card>
      {gifts.data ? (
        <>
          <Card title="Give Premium">
            <GiftForm offers={gifts.data.offers} isLive={gifts.data.is_purchase_live} />
          </Card>
          {gifts.data.data.length > 0 && (
            <Card title="Your Gifts">
              <GiftList gifts={gifts.data.data} />
            </Card>
          )}
        </>
      ) : gifts.error ? (
        <ErrorState
          title="Failed to load gifts"
          message={errorText(gifts.error)}
          busy={gifts.isFetching}
          onRetry={() => void gifts.refetch()}
        />
      ) : (
        <Skeleton height="20rem" />
      )}
    </div>
  )
}

/** Stripe's event may arrive shortly after the browser returns, so the list of gifts may lack the new one. */
function useCheckoutReturn() {
  const [params, setParams] = useSearchParams()
  const outcome = params.get(giftReturnParam)
  useEffect(() => {
    if (outcome === null) return
    showToast(
      outcome === 'done'
        ? {
            tone: 'success',
            title: 'Thank you',
            message: 'A receipt with the code is on its way by email.',
          }
        : { title: 'Checkout canceled', message: 'Nothing was charged.' },
    )
    setParams(
      (now) => {
        now.delete(giftReturnParam)
        return now
      },
      { replace: true },
    )
  }, [outcome, setParams])
}
