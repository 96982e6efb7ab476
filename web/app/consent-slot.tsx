// Mounts the dialog that asks members to agree to new terms. It is not shown on the profile, where members can export
// their data or delete the account.
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useLocation } from 'react-router'
import { getTermsConsent } from '#contract/legal.ts'
import { call } from '../base/api/api.ts'
import { useSession } from '../base/session/session.ts'
import { useSite } from '../base/session/site.ts'

const Consent = lazy(async () => ({
  default: (await import('../features/auth/consent-dialog.tsx')).ConsentDialog,
}))

export function ConsentSlot() {
  const { consent_number } = useSite()
  const { user } = useSession()
  const { pathname } = useLocation()
  const queryKey = ['terms-consent', user?.id, consent_number]
  const { data } = useQuery({
    queryKey,
    queryFn: () => call(getTermsConsent, {}),
    // Loaded lazily, because most services have no terms that require consent, and most members have already agreed.
    enabled: consent_number !== null && Boolean(user) && user?.role !== 'admin',
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!user || !data?.data) return null
  return (
    <Suspense>
      <Consent open={pathname !== '/profile'} asked={data.data} queryKey={queryKey} />
    </Suspense>
  )
}
