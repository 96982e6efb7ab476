// Signs in, creates an account, sets a new password, or accepts an invitation: one card with one form at a time. The
// links in emails carry a token.
import { useState } from 'react'
import { Navigate, useLocation, useSearchParams } from 'react-router'
import { resetTokenParam } from '#contract/auth.ts'
import { accountInvitationHash } from '#contract/invitations.ts'
import { readReturnPath, returnParam } from '#contract/return-path.ts'
import { useDocumentTitle } from '../../base/session/document-title.ts'
import { ScreenSkeleton } from '../../base/navigation/screen-skeleton.tsx'
import { useSession } from '../../base/session/session.ts'
import styles from './auth-screen.module.css'
import { CreateAccountForm } from './create-account-form.tsx'
import { DemoAccounts } from './demo-accounts.tsx'
import { InvitationForm } from './invitation-form.tsx'
import { NewPasswordForm } from './new-password-form.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { TwoFactorForm } from './two-factor-form.tsx'
import { useLinkMessage } from './use-link-message.ts'
import { VelvetPanel } from './velvet-panel.tsx'

export function AuthScreen() {
  const session = useSession()
  const [parameters] = useSearchParams()
  const token = parameters.get(resetTokenParam)
  const next = readReturnPath(parameters.get(returnParam))
  const hasLinkMessage = useLinkMessage()
  const invitation = useInvitationToken()
  const [isAccepted, setIsAccepted] = useState(false)
  // Signed-in users stay on this screen to set a new password, or to read that an invitation requires signing out
  // first.
  const hasStep = token !== null || (invitation !== null && !isAccepted)
  const isLeaving = session.status === 'signed-in' && !hasStep
  if (session.status === 'loading' || (isLeaving && hasLinkMessage)) return <ScreenSkeleton />
  if (isLeaving) return <Navigate to={next ?? '/'} replace />
  return (
    <div className={styles.screen}>
      <VelvetPanel />
      <div className={styles.side}>
        <div className={styles.card}>
          {token ? (
            <NewPasswordForm token={token} next={next} />
          ) : invitation ? (
            <InvitationForm
              key={invitation}
              token={invitation}
              onAccepted={() => setIsAccepted(true)}
            />
          ) : (
            <AuthForms next={next} creates={parameters.has(createParam)} />
          )}
        </div>
      </div>
    </div>
  )
}

/** Returns the token from the link in an invitation email. */
function useInvitationToken(): string | null {
  const { hash } = useLocation()
  return hash.startsWith(accountInvitationHash) ? hash.slice(accountInvitationHash.length) : null
}

/** Query parameter that opens the form for a new account. */
const createParam = 'create'

/**
 * @param next where the user continues after following a link in an email
 * @param creates whether the form for a new account is shown first
 */
function AuthForms({ next, creates }: { next: string | null; creates: boolean }) {
  const [step, setStep] = useState<'sign-in' | 'create' | 'second-factor'>(
    creates ? 'create' : 'sign-in',
  )
  // Shared by all forms, so that users who switch forms need not type the address again.
  const [email, setEmail] = useState('')
  useDocumentTitle(step === 'create' ? 'Create Account' : 'Sign In')
  const toSignIn = () => setStep('sign-in')
  const toSecondFactor = () => setStep('second-factor')

  if (step === 'second-factor') return <TwoFactorForm title="One more step" onRestart={toSignIn} />
  if (step === 'create') {
    return <CreateAccountForm {...{ email, next }} onEmailChange={setEmail} onSignIn={toSignIn} />
  }
  return (
    <>
      <SignInForm
        email={email}
        next={next}
        onEmailChange={setEmail}
        onCreate={() => setStep('create')}
        onSecondFactor={toSecondFactor}
      />
      <DemoAccounts onSecondFactor={toSecondFactor} />
    </>
  )
}
