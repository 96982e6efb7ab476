// Handles the return from the payment page. Premium starts when Stripe notifies the server, which may be a moment after
// the browser returns. Until then the session is polled.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { checkoutParam } from '#contract/billing.ts'
import { sessionQuery } from '../../base/session/session.ts'
import { Spinner } from '../../base/ui/controls/spinner.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import styles from './checkout-return.module.css'

const pollMs = 2000

export function CheckoutReturn() {
  const [params, setParams] = useSearchParams()
  const outcome = params.get(checkoutParam)
  const [hasPaid] = useState(outcome === 'done')
  const { data: profile } = useQuery({
    ...sessionQuery,
    refetchInterval: ({ state }) => (hasPaid && !state.data?.is_premium ? pollMs : false),
  })
  const isPremium = profile?.is_premium ?? false

  useEffect(() => {
    if (outcome === null) return
    if (outcome === 'canceled') {
      showToast({ title: 'Checkout canceled', message: 'Nothing was charged.' })
    }
    // Remove the parameter: a reload must not show the message again.
    setParams(
      (now) => {
        now.delete(checkoutParam)
        return now
      },
      { replace: true },
    )
  }, [outcome, setParams])

  useEffect(() => {
    if (!hasPaid || !isPremium) return
    showToast({
      tone: 'success',
      title: 'Welcome to Premium',
      message: 'You can now hear everything in full.',
    })
  }, [hasPaid, isPremium])

  if (!hasPaid || isPremium) return null
  return (
    <p className={styles.waiting} role="status">
      <Spinner />
      Thank you. Your payment is being confirmed.
    </p>
  )
}
