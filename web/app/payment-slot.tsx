// Mounts the notice about a failed payment on every screen with the site's header.
import { lazy, Suspense } from 'react'
import { useSession } from '../base/session/session.ts'

const PaymentNotice = lazy(async () => ({
  default: (await import('../features/profile/payment-notice.tsx')).PaymentNotice,
}))

export function PaymentSlot() {
  const { user } = useSession()
  if (!user?.payment_problem) return null
  return (
    <Suspense>
      <PaymentNotice problem={user.payment_problem} />
    </Suspense>
  )
}
