// Sign in, create an account, or choose a new password: one card, one form at a time. The address of a
// password mail carries a token.
import { useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { resetNextParam, resetTokenParam } from '#contract/auth.ts'
import { useDocumentTitle } from '../app/document-title.ts'
import { ScreenSkeleton } from '../app/screen-skeleton.tsx'
import { useSession } from '../app/session.ts'
import styles from './auth-screen.module.css'
import { CreateAccountForm } from './create-account-form.tsx'
import { DemoAccounts } from './demo-accounts.tsx'
import { NewPasswordForm } from './new-password-form.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { TwoFactorForm } from './two-factor-form.tsx'
import { useLinkMessage } from './use-link-message.ts'
import { VelvetPanel } from './velvet-panel.tsx'

export function AuthScreen() {
  const session = useSession()
  const [parameters] = useSearchParams()
  const token = parameters.get(resetTokenParam)
  useLinkMessage()
  // A password mail is answered even by someone who is signed in.
  if (session.status === 'signed-in' && !token) return <Navigate to="/" replace />
  if (session.status === 'loading') return <ScreenSkeleton />
  return (
    <div className={styles.screen}>
      <VelvetPanel />
      <div className={styles.side}>
        <div className={styles.card}>
          {token ? (
            <NewPasswordForm
              token={token}
              next={parameters.get(resetNextParam) === '/' ? '/' : '/auth'}
            />
          ) : (
            <WaysIn />
          )}
        </div>
      </div>
    </div>
  )
}

function WaysIn() {
  const [step, setStep] = useState<'sign-in' | 'create' | 'second-factor'>('sign-in')
  // Kept over the toggle: what was typed once need not be typed again.
  const [email, setEmail] = useState('')
  useDocumentTitle(step === 'create' ? 'Create Account' : 'Sign In')
  const toSignIn = () => setStep('sign-in')
  const toSecondFactor = () => setStep('second-factor')

  if (step === 'second-factor') return <TwoFactorForm onRestart={toSignIn} />
  if (step === 'create') {
    return <CreateAccountForm email={email} onEmailChange={setEmail} onSignIn={toSignIn} />
  }
  return (
    <>
      <SignInForm
        email={email}
        onEmailChange={setEmail}
        onCreate={() => setStep('create')}
        onSecondFactor={toSecondFactor}
      />
      <DemoAccounts onSecondFactor={toSecondFactor} />
    </>
  )
}
