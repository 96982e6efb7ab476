// The target of the link in an invitation email: sets a name and a password, and signs the user in.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { adminPasswordMinLength, displayNameMaxLength, passwordMinLength } from '#contract/auth.ts'
import { acceptInvitation, openInvitation } from '#contract/invitations.ts'
import type { Output } from '#contract/endpoint.ts'
import { signInPath } from '#contract/return-path.ts'
import { ApiError, call } from '../../base/api/api.ts'
import { refusedPassword } from '../../base/api/refused-password.ts'
import { errorText } from '../../base/api/show-error.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { useDocumentTitle } from '../../base/session/document-title.ts'
import { refreshSession, signOut, useSession } from '../../base/session/session.ts'
import { useSite } from '../../base/session/site.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { clearReferral, readReferral } from '../referral/stored-referral.ts'
import { PasswordField } from '../../base/ui/controls/password-field.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { AuthForm } from './auth-form.tsx'
import styles from './auth-form.module.css'
import layout from '../../base/ui/layout/layout.module.css'
import { newPasswordProblem } from './credential-problems.ts'
import { SignUpTerms } from './sign-up-terms.tsx'

type Opened = Output<typeof openInvitation>

export interface InvitationFormProps {
  token: string
  /** Called when the account exists, before its session has loaded. */
  onAccepted: () => void
}

export function InvitationForm({ token, onAccepted }: InvitationFormProps) {
  const session = useSession()
  useDocumentTitle('Invitation')
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => call(openInvitation, { body: { token } }, { signal }),
    retry: (failures, error) => failures < 2 && error instanceof ApiError && error.status === 0,
    // The link works only once, so don't repeat the request.
    refetchOnWindowFocus: false,
    gcTime: 0,
  })
  if (session.status === 'signed-in') return <SignedIn email={session.user.email} />
  if (invitation.isPending) return <Skeleton shape="text" width="60%" />
  if (invitation.isError) {
    return (
      <InvalidInvitation
        error={invitation.error}
        busy={invitation.isFetching}
        onRetry={() => void invitation.refetch()}
      />
    )
  }
  return <AcceptForm {...{ token, onAccepted }} invitation={invitation.data} />
}

/** Asks signed-in users to sign out first, because accepting would replace the session of this browser. */
function SignedIn({ email }: { email: string }) {
  const queryClient = useQueryClient()
  const location = useLocation()
  const leaving = useMutation({
    mutationFn: () => signOut(queryClient, location.key),
    onError: (error) => showToast({ tone: 'destructive', title: 'Error', message: error.message }),
  })
  return (
    <div className={layout.stack5}>
      <div>
        <h1 className={styles.title}>Invitation</h1>
        <p className={styles.text}>
          You are signed in as <bdi>{email}</bdi>. Sign out to accept the invitation with a separate
          account.
        </p>
      </div>
      <Button
        variant="primary"
        size="large"
        wide
        busy={leaving.isPending}
        onClick={() => leaving.mutate()}
      >
        Sign Out
      </Button>
      <p className={styles.footer}>
        <ScreenLink to="/" className={styles.link}>
          Keep this account
        </ScreenLink>
      </p>
    </div>
  )
}

interface InvalidInvitationProps {
  error: Error
  busy: boolean
  onRetry: () => void
}

function InvalidInvitation({ error, busy, onRetry }: InvalidInvitationProps) {
  const code = error instanceof ApiError ? error.code : null
  const toSignIn = (
    <p className={styles.footer}>
      <ScreenLink to={signInPath} className={styles.link}>
        Go to Sign In
      </ScreenLink>
    </p>
  )
  if (code === 'email_exists' || code === 'invitation_invalid') {
    return (
      <div className={layout.stack5}>
        <div>
          <h1 className={styles.title}>
            {code === 'email_exists' ? 'You have an account' : 'This invitation does not work'}
          </h1>
          <p className={styles.text}>
            {code === 'email_exists'
              ? 'An account with this email address already exists. Sign in, or reset its password there.'
              : 'It was used or revoked, or it has expired. Ask for a new one, or sign in if you have an account.'}
          </p>
        </div>
        {toSignIn}
      </div>
    )
  }
  return (
    <ErrorState
      title="Failed to open the invitation"
      message={errorText(error)}
      busy={busy}
      onRetry={onRetry}
    />
  )
}

function AcceptForm({
  token,
  invitation,
  onAccepted,
}: InvitationFormProps & { invitation: Opened }) {
  const { brand_name } = useSite()
  const [name, setName] = useState(invitation.display_name)
  const [password, setPassword] = useState('')
  const { form, problems, showProblems } = useProblems<{ password: string }>()
  const minLength = invitation.role === 'admin' ? adminPasswordMinLength : passwordMinLength
  const accepting = useAccept(onAccepted, (reason) => showProblems({ password: reason }))

  function submit() {
    const isShort = password.length < minLength
    const short = isShort && password ? `Please use at least ${minLength} characters.` : undefined
    if (showProblems({ password: short ?? newPasswordProblem(password) })) return
    accepting.mutate({ token, name: name.trim(), password })
  }

  return (
    <AuthForm
      ref={form}
      title={`Join ${brand_name}`}
      text="You are invited. Choose a name and a password to create your account."
      submitLabel="Create Account"
      busy={accepting.isPending}
      onSubmit={submit}
    >
      <TextField
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        readOnly
        value={invitation.email}
      />
      <TextField
        label="Name"
        hint="Others see it when you share something. You can leave it empty."
        name="name"
        autoComplete="nickname"
        maxLength={displayNameMaxLength}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <PasswordField
        label="Password"
        name="new-password"
        autoComplete="new-password"
        required
        hint={`At least ${minLength} characters.`}
        value={password}
        error={problems.password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <SignUpTerms />
    </AuthForm>
  )
}

/** Returns a mutation that accepts the invitation. The screen redirects to the home page once there is a session. */
function useAccept(onAccepted: () => void, onRefusedPassword: (reason: string) => void) {
  const queryClient = useQueryClient()
  const { brand_name } = useSite()
  return useMutation({
    async mutationFn(body: { token: string; name: string; password: string }) {
      const referral_code = readReferral()
      await call(acceptInvitation, { body: { ...body, ...(referral_code && { referral_code }) } })
      clearReferral()
      onAccepted()
      await refreshSession(queryClient)
    },
    onSuccess: () =>
      showToast({
        tone: 'success',
        title: `Welcome to ${brand_name}`,
        message: 'Your account is ready.',
      }),
    onError(error) {
      const refused = refusedPassword(error)
      if (refused) onRefusedPassword(refused)
      else showToast({ tone: 'destructive', title: 'Error', message: error.message })
    },
  })
}
