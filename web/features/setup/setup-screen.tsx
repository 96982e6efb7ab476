// The screen /setup, which creates the first admin of a new service. The link with the code is in the server's output.
import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation } from 'react-router'
import { openSetup, setupPath } from '#contract/setup.ts'
import { ApiError, call } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { ScreenSkeleton } from '../../base/navigation/screen-skeleton.tsx'
import { useSession } from '../../base/session/session.ts'
import { useSite } from '../../base/session/site.ts'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { VelvetPanel } from '../auth/velvet-panel.tsx'
import { SetupForm } from './setup-form.tsx'
import { SetupNotice } from './setup-notice.tsx'
import screenStyles from '../auth/auth-screen.module.css'

export function SetupScreen() {
  const session = useSession()
  const code = useLocation().hash.slice(1)
  if (session.status === 'loading') return <ScreenSkeleton />
  if (session.status === 'signed-in' && session.user.role === 'admin') {
    return <Navigate to="/admin" replace />
  }
  return (
    <div className={screenStyles.screen}>
      <VelvetPanel />
      <div className={screenStyles.side}>
        <div className={screenStyles.card}>
          {code === '' ? <WithoutCode /> : <WithCode key={code} code={code} />}
        </div>
      </div>
    </div>
  )
}

function WithoutCode() {
  const { has_owner } = useSite()
  return has_owner ? <HasOwner /> : <SetupLinkHelp />
}

function WithCode({ code }: { code: string }) {
  const opened = useQuery({
    queryKey: ['setup', code],
    queryFn: ({ signal }) => call(openSetup, { body: { code } }, { signal }),
    retry: (failures, error) => failures < 2 && error instanceof ApiError && error.status === 0,
    // Each call counts toward the rate limit.
    refetchOnWindowFocus: false,
    gcTime: 0,
  })
  if (opened.isPending) return <Skeleton shape="text" width="60%" />
  if (!opened.isError)
    return <SetupForm code={code} onUnknownOutcome={() => void opened.refetch()} />
  const problem = opened.error instanceof ApiError ? opened.error.code : null
  if (problem === 'setup_done') return <HasOwner />
  if (problem === 'setup_code_invalid' || problem === 'invalid_input') return <InvalidLink />
  return (
    <ErrorState
      title="Failed to open the setup"
      message={errorText(opened.error)}
      busy={opened.isFetching}
      onRetry={() => void opened.refetch()}
    />
  )
}

function HasOwner() {
  return (
    <SetupNotice title="This service has an owner">
      <p>Setup is complete. Sign in with an admin account to continue.</p>
    </SetupNotice>
  )
}

function InvalidLink() {
  return (
    <SetupNotice title="This link does not work">
      <p>
        It is incomplete, or belongs to another service or an earlier key. Open the newest link: the
        server prints it at every start until the service has an owner.
      </p>
    </SetupNotice>
  )
}

function SetupLinkHelp() {
  return (
    <SetupNotice title="This service has no owner yet">
      <p>
        Open the link that the server printed at startup. It is in the terminal where you started
        the service, or in the log of its container, and begins like this:
      </p>
      <p>
        <code>
          {location.origin}
          {setupPath}#
        </code>
      </p>
      <p>You cannot find it? Restart the service. It prints the link at every start.</p>
    </SetupNotice>
  )
}
