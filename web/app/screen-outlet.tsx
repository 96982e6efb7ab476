// Shows the screen of the address to those who may see it, and leads the others to where they may go.
import { useEffect } from 'react'
import { Navigate, Outlet, useMatches, useNavigate } from 'react-router'
import type { Access } from '#contract/endpoint.ts'
import { showToast } from '../ui/toast-store.ts'
import { isScreenHandle } from './screen.ts'
import { ScreenSkeleton } from './screen-skeleton.tsx'
import { useSession } from './session.ts'

const strictness: Access[] = ['anyone', 'member', 'admin']

export function ScreenOutlet() {
  const access = strictestAccess(useMatches().map(({ handle }) => handle))
  const session = useSession()

  if (access === 'anyone') return <Outlet />
  if (session.status === 'loading') return <ScreenSkeleton />
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
