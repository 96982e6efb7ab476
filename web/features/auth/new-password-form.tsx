// The target of the link in a password email: sets a new password, with which the user then signs in.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { passwordMinLength } from '#contract/auth.ts'
import { buildSignInPath } from '#contract/return-path.ts'
import { refusedPassword } from '../../base/api/refused-password.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { resetPassword } from '../../base/session/session.ts'
import { useDocumentTitle } from '../../base/session/document-title.ts'
import { PasswordField } from '../../base/ui/controls/password-field.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { AuthForm } from './auth-form.tsx'
import { newPasswordProblem } from './credential-problems.ts'

export interface NewPasswordFormProps {
  token: string
  /** Where to continue: the home page opens directly, other pages after sign-in. */
  next: string | null
}

export function NewPasswordForm({ token, next }: NewPasswordFormProps) {
  const navigate = useNavigate()
  const [password, setPassword] = useState('')
  const { form, problems, showProblems } = useProblems<{ password: string }>()
  useDocumentTitle('Reset Password')
  const resetting = useMutation({
    mutationFn: () => resetPassword(token, password),
    onSuccess: () => {
      showToast({
        tone: 'success',
        title: 'Password changed',
        message: 'You can now sign in with your new password.',
      })
      // The token has been used and must not stay in the URL or the history.
      return navigate(next === '/' ? next : buildSignInPath(next), { replace: true })
    },
    onError: (error) => {
      if (!showProblems({ password: refusedPassword(error) }))
        showToast({ tone: 'destructive', title: 'Error', message: error.message })
    },
  })

  function submit() {
    if (!showProblems({ password: newPasswordProblem(password) })) resetting.mutate()
  }

  return (
    <AuthForm
      ref={form}
      title="Reset Password"
      text="Choose a new password. Every device that is signed in now will have to sign in again."
      submitLabel="Set New Password"
      busy={resetting.isPending}
      onSubmit={submit}
    >
      <PasswordField
        label="New password"
        name="new-password"
        autoComplete="new-password"
        required
        hint={`At least ${passwordMinLength} characters.`}
        value={password}
        error={problems.password}
        onChange={(event) => setPassword(event.target.value)}
      />
    </AuthForm>
  )
}
