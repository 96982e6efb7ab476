// Sign in, create an account, or choose a new password: one card, three forms. The address of a
// password mail carries `?token=`.
import { useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { ScreenSkeleton } from '../app/screen-skeleton.tsx'
import { useSession } from '../app/session.ts'
import { useDocumentTitle } from '../app/document-title.ts'
import styles from './auth-screen.module.css'
import { CreateAccountForm } from './create-account-form.tsx'
import { DemoAccounts } from './demo-accounts.tsx'
import { NewPasswordForm } from './new-password-form.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { VelvetPanel } from './velvet-panel.tsx'

export function AuthScreen() {
  const session = useSession()
  const [parameters] = useSearchParams()
  const token = parameters.get('token')
  // A password mail is answered even by someone who is signed in.
  if (session.status === 'signed-in' && !token) return <Navigate to="/" replace />
  if (session.status === 'loading') return <ScreenSkeleton />
  return (
    <div className={styles.screen}>
      <VelvetPanel />
      <div className={styles.side}>
        <div className={styles.card}>
          {token ? <NewPasswordForm token={token} /> : <SignInOrUp />}
        </div>
      </div>
    </div>
  )
}

function SignInOrUp() {
  const [mode, setMode] = useState<'sign-in' | 'create'>('sign-in')
  // Kept over the toggle: what was typed once need not be typed again.
  const [email, setEmail] = useState('')
  useDocumentTitle(mode === 'sign-in' ? 'Sign In' : 'Create Account')
  if (mode === 'create') {
    return (
      <CreateAccountForm
        email={email}
        onEmailChange={setEmail}
        onSignIn={() => setMode('sign-in')}
      />
    )
  }
  return (
    <>
      <SignInForm email={email} onEmailChange={setEmail} onCreate={() => setMode('create')} />
      <DemoAccounts />
    </>
  )
}
