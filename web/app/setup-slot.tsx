// Shows the remaining setup steps on the landing page and the sign-in screen. Everyone sees them until the service has
// an owner, afterwards only its admins. Other users don't load the code.
import { Suspense, lazy, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { signInPath } from '#contract/return-path.ts'
import { useSession } from '../base/session/session.ts'
import { useSite } from '../base/session/site.ts'

const SetupReminder = lazy(async () => ({
  default: (await import('../admin/overview/setup-reminder.tsx')).SetupReminder,
}))
const NoOwnerLine = lazy(async () => ({
  default: (await import('../features/setup/no-owner-line.tsx')).NoOwnerLine,
}))

const subscribeToNothing = () => () => {}

/** False on the server and during hydration, because the server does not render lazy components. */
function useIsMounted(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
}

export function SetupSlot() {
  const session = useSession()
  const { has_owner } = useSite()
  const { pathname } = useLocation()
  const isOwner = session.status === 'signed-in' && session.user.role === 'admin'
  const isMounted = useIsMounted()
  const showsNoOwner =
    isMounted && !has_owner && !isOwner && (pathname === '/' || pathname === signInPath)
  if (!showsNoOwner && !(isOwner && pathname === '/')) return null
  return <Suspense>{showsNoOwner ? <NoOwnerLine /> : <SetupReminder />}</Suspense>
}
