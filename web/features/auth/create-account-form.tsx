// The 'Create Account' form. It does not sign the user in: it returns to Sign In with the address filled in.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { passwordMinLength } from '#contract/auth.ts'
import { refusedPassword } from '../../base/api/refused-password.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { signUp } from '../../base/session/session.ts'
import { NewLoginFields } from '../../base/ui/controls/new-login-fields.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { clearReferral, readReferral } from '../referral/stored-referral.ts'
import { AuthForm } from './auth-form.tsx'
import styles from './auth-form.module.css'
import { SignUpTerms } from './sign-up-terms.tsx'
import { emailProblem, newPasswordProblem, type CredentialProblems } from './credential-problems.ts'

export interface CreateAccountFormProps {
  email: string
  /** Where the user continues after following the link in the confirmation email. */
  next: string | null
  onEmailChange: (email: string) => void
  /** Returns to sign-in, by the user's choice or after the account was created. */
  onSignIn: () => void
}

export function CreateAccountForm({
  email,
  next,
  onEmailChange,
  onSignIn,
}: CreateAccountFormProps) {
  const [password, setPassword] = useState('')
  const { form, problems, showProblems } = useProblems<CredentialProblems>()
  const creating = useCreateAccount({
    next,
    onCreated: onSignIn,
    onRefusedPassword: (password) => showProblems({ password }),
  })

  function submit() {
    const isRefused = showProblems({
      email: emailProblem(email),
      password: newPasswordProblem(password),
    })
    if (!isRefused) creating.mutate({ email: email.trim(), password })
  }

  return (
    <AuthForm
      ref={form}
      title="Create Account"
      text="Free to start, with a playlist of your own."
      submitLabel="Create Account"
      busy={creating.isPending}
      onSubmit={submit}
      footer={
        <>
          Already have an account?{' '}
          <button type="button" className={styles.link} onClick={onSignIn}>
            Sign In
          </button>
        </>
      }
    >
      <NewLoginFields
        {...{ email, password, problems }}
        passwordMinLength={passwordMinLength}
        onEmailChange={onEmailChange}
        onPasswordChange={setPassword}
      />
      <SignUpTerms />
    </AuthForm>
  )
}

function useCreateAccount({
  next,
  onCreated,
  onRefusedPassword,
}: {
  next: string | null
  onCreated: () => void
  onRefusedPassword: (reason: string) => void
}) {
  return useMutation({
    mutationFn: ({ email, password }: { email: string; password: string }) =>
      signUp(email, password, { redirectTo: next, referralCode: readReferral() }),
    onSuccess: (mustConfirm) => {
      clearReferral()
      showToast({
        tone: 'success',
        title: 'Success!',
        message: mustConfirm
          ? 'Please open the link in the email that we sent you. Then you can sign in.'
          : 'Account created successfully. You can now sign in.',
      })
      onCreated()
    },
    onError: (error) => {
      const refused = refusedPassword(error)
      if (refused) onRefusedPassword(refused)
      else showToast({ tone: 'destructive', title: 'Error', message: error.message })
    },
  })
}
