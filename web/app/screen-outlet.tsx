// Renders the screen for users who may see it and redirects the others. A screen with unsaved work stays mounted when
// the session ends, under the sign-in dialog.
import { lazy, Suspense, useEffect } from 'react'
import { Navigate, Outlet, useLocation, useMatches, useNavigate } from 'react-router'
import { isStaffAccess, grantsAccess } from '#contract/access.ts'
import { signInPath, buildSignInPath } from '#contract/return-path.ts'
import type { Track } from '#contract/tracks.ts'
import { showToast } from '../base/ui/overlays/toast-store.ts'
import { useLostSession } from '../base/api/lost-session.ts'
import { MaintenanceScreen } from './maintenance-screen.tsx'
import { strictestAccess } from '../base/navigation/screen.ts'
import { ScreenSkeleton } from '../base/navigation/screen-skeleton.tsx'
import { isLeftEntry, LostSessionUser, useSession } from '../base/session/session.ts'
import { useSite } from '../base/session/site.ts'
import { lazyComponent } from '../base/ui/layout/lazy-component.tsx'
import { TrackDownloadProvider } from '../features/catalogue/track-download.tsx'
import { UnreachableScreen } from './unreachable-screen.tsx'

const SignInAgain = lazy(async () => ({
  default: (await import('../features/auth/sign-in-again.tsx')).SignInAgain,
}))

const TrackDownloadItem = lazyComponent(
  async () => (await import('../features/offline/track-download-item.tsx')).TrackDownloadItem,
)

export function ScreenOutlet() {
  const access = strictestAccess(useMatches().map(({ handle }) => handle))
  const session = useSession()
  const { maintenance_mode } = useSite()
  const { pathname } = useLocation()
  const kept = useLostSession(({ member }) => member)
  const member = session.user ?? kept
  const isMember = Boolean(member)
  useEffect(() => {
    // Load the code of the menu item for downloads before a menu needs it. If that fails, opening the menu retries.
    if (isMember) TrackDownloadItem.load().catch(() => {})
  }, [isMember])

  // Sign-in stays available: an admin must be able to end the maintenance.
  if (maintenance_mode && member?.role !== 'admin' && pathname !== signInPath) {
    return <MaintenanceScreen />
  }
  if (access === 'anyone') return <Outlet />
  if (session.status === 'loading') return <ScreenSkeleton />
  if (session.status === 'unknown') return <UnreachableScreen />
  if (!member) return <ToSignIn />
  // The back office's own layout rejects staff whose role is too low for a screen.
  if (isStaffAccess(access) && !grantsAccess(member.role, 'creator')) return <AccessDenied />
  return (
    <LostSessionUser value={kept}>
      <TrackDownloadProvider value={downloadItem}>
        <Outlet key={member.id} />
      </TrackDownloadProvider>
      {kept && (
        <Suspense>
          <SignInAgain member={kept} />
        </Suspense>
      )}
    </LostSessionUser>
  )
}

const downloadItem = (track: Track) => <TrackDownloadItem track={track} />

/** Redirects to sign-in, which returns to the current URL afterwards. */
function ToSignIn() {
  const { key, pathname, search, hash } = useLocation()
  const to = isLeftEntry(key) ? signInPath : buildSignInPath(`${pathname}${search}${hash}`)
  return <Navigate to={to} replace />
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
