// Links admins to the remaining setup steps, on the landing page, where sign-in leads. Other users don't load the code.
import { Suspense, lazy } from 'react'
import { useLocation } from 'react-router'
import { useSession } from '../base/session/session.ts'

const SetupLine = lazy(async () => ({
  default: (await import('../admin/overview/setup-line.tsx')).SetupLine,
}))

export function SetupSlot() {
  const session = useSession()
  const { pathname } = useLocation()
  const isOwner = session.status === 'signed-in' && session.user.role === 'admin'
  if (!isOwner || pathname !== '/') return null
  return (
    <Suspense>
      <SetupLine />
    </Suspense>
  )
}
