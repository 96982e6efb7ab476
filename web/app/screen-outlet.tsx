// Shows the screen of the address to those who may see it, and leads the others to where they may go.
import { useEffect } from 'react'
import { Navigate, Outlet, useLocation, useMatches, useNavigate } from 'react-router'
import type { Access } from '#contract/endpoint.ts'
import { showToast } from '../ui/toast-store.ts'
import { MaintenanceScreen } from './maintenance-screen.tsx'
import { isScreenHandle } from './screen.ts'
import { ScreenSkeleton } from './screen-skeleton.tsx'
import { useSession } from './session.ts'
import { useSite } from './site.ts'
import { UnreachableScreen } from './unreachable-screen.tsx'

const strictness: Access[] = ['anyone', 'member', 'admin']

export function ScreenOutlet() {
  const access = strictestAccess(useMatches().map(({ handle }) => handle))
  const session = useSession()
  const { maintenance_mode } = useSite()
  const { pathname } = useLocation()

  // The way in stays open: an admin has to be able to come and end it.
  if (maintenance_mode && session.user?.role !== 'admin' && pathname !== '/auth') {
    return <MaintenanceScreen />
  }
  if (access === 'anyone') return <Outlet />
  if (session.status === 'loading') return <ScreenSkeleton />
  if (session.status === 'unknown') return <UnreachableScreen />
  if (session.status === 'signed-out') return <Navigate to="/auth" replace />
  if (access === 'admin' && session.user.role !== 'admin') return <AccessDenied />
  return <Outlet />
}

function AccessDenied() {
  const navigate = useNavigate()
  useEffect(() => {
    showToast({
      tone: 'destructive',
      title: 'Access Denied',
      message: 'You must be an admin to access this page.',
    })
    void navigate('/', { replace: true })
  }, [navigate])
  return <ScreenSkeleton />
}

function strictestAccess(handles: unknown[]): Access {
  const wanted = handles.map((handle) => (isScreenHandle(handle) ? handle.access : 'anyone'))
  return strictness.findLast((access) => wanted.includes(access)) ?? 'anyone'
}
