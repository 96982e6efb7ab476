// The 'Welcome Back' form, with email address, password, and a link for a forgotten password.
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { signInPath } from '#contract/return-path.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { requestPasswordReset } from '../../base/session/session.ts'
import { PasswordField } from '../../base/ui/controls/password-field.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { AuthForm } from './auth-form.tsx'
import styles from './auth-form.module.css'
import { emailProblem, type CredentialProblems } from './credential-problems.ts'
import { useSignIn } from './use-sign-in.ts'

export interface SignInFormProps {
  email: string
  /** Where the user continues after following the link in a password email. */
  next: string | null
  onEmailChange: (email: string) => void
  /** Switches to the form for a new account. */
  onCreate: () => void
  /** Called when the account requires a second factor. */
  onSecondFactor: () => void
}

export function SignInForm({
  email,
  next,
  onEmailChange,
  onCreate,
  onSecondFactor,
}: SignInFormProps) {
  const [password, setPassword] = useState('')
  const { form, problems, showProblems } = useProblems<CredentialProblems>()
  const emailInput = useRef<HTMLInputElement>(null)
  const signingIn = useSignIn(onSecondFactor)

  function submit() {
    const isRefused = showProblems({
      email: emailProblem(email),
      password: password ? undefined : 'Please enter your password.',
    })
    if (!isRefused) signingIn.mutate({ email: email.trim(), password })
  }

  return (
    <AuthForm
      ref={form}
      title="Welcome Back"
      text="Sign in, and pick up where you left off."
      submitLabel="Sign In"
      busy={signingIn.isPending}
      onSubmit={submit}
      footer={
        <>
          New here?{' '}
          <button type="button" className={styles.link} onClick={onCreate}>
            Create Account
          </button>
        </>
      }
    >
      <TextField
        ref={emailInput}
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        required
        value={email}
        error={problems.email}
        onChange={(event) => onEmailChange(event.target.value)}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        required
        value={password}
        error={problems.password}
        onChange={(event) => setPassword(event.target.value)}
        aside={
          <ForgotPassword {...{ email, next }} onMissingEmail={() => emailInput.current?.focus()} />
        }
      />
    </AuthForm>
  )
}

interface ForgotPasswordProps {
  email: string
  next: string | null
  onMissingEmail: () => void
}

function ForgotPassword({ email, next, onMissingEmail }: ForgotPasswordProps) {
  const requesting = useMutation({
    mutationFn: () => requestPasswordReset(email.trim(), next ?? signInPath),
    onSuccess: () =>
      showToast({
        tone: 'success',
        title: 'Check your email',
        message: "We've sent you a password reset link.",
      }),
    onError: (error) => showToast({ tone: 'destructive', title: 'Error', message: error.message }),
  })

  function request() {
    if (requesting.isPending) return
    if (email.trim()) return requesting.mutate()
    onMissingEmail()
    showToast({
      tone: 'destructive',
      title: 'Email required',
      message: 'Please enter your email address first.',
    })
  }

  return (
    <button
      type="button"
      className={styles.link}
      aria-busy={requesting.isPending || undefined}
      onClick={request}
    >
      Forgot password?
    </button>
  )
}
