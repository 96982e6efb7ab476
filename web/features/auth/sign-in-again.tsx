// Signs the same user in again, in a dialog above a screen with unsaved work.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Profile } from '#contract/profiles.ts'
import { releaseScreen } from '../../base/api/lost-session.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { useUnsavedWorks } from '../../base/unsaved-work/unsaved-work.ts'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { PasswordField } from '../../base/ui/controls/password-field.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { AuthForm } from './auth-form.tsx'
import styles from './auth-form.module.css'
import { TwoFactorForm } from './two-factor-form.tsx'
import { useSignIn } from './use-sign-in.ts'

const list = new Intl.ListFormat('en')

export function SignInAgain({ member }: { member: Profile }) {
  const queryClient = useQueryClient()
  const [isSecondStep, setSecondStep] = useState(false)
  const works = useUnsavedWorks((state) => state.works)
  const isNothingLeft = works.length === 0

  // If the user left the screen through the history, it no longer has to stay mounted.
  useEffect(() => {
    if (isNothingLeft) releaseScreen(queryClient)
  }, [isNothingLeft, queryClient])

  const what = list.format(new Set(works.map((work) => work.what)))
  return (
    <Dialog
      open
      size="small"
      title="You have been signed out"
      description={`Your changes to ${what} are still here. Sign in again to save them.`}
    >
      {isSecondStep ? (
        <TwoFactorForm onRestart={() => setSecondStep(false)} />
      ) : (
        <PasswordStep
          knownEmail={member.email}
          onSecondFactor={() => setSecondStep(true)}
          onOtherAccount={() => releaseScreen(queryClient)}
        />
      )}
    </Dialog>
  )
}

interface PasswordStepProps {
  /** Empty if the user is known only from downloads, which contain no email address. */
  knownEmail: string
  onSecondFactor: () => void
  onOtherAccount: () => void
}

function PasswordStep({ knownEmail, onSecondFactor, onOtherAccount }: PasswordStepProps) {
  const [email, setEmail] = useState(knownEmail)
  const [password, setPassword] = useState('')
  const { form, problems, showProblems } = useProblems<{ password: string }>()
  const signingIn = useSignIn(onSecondFactor)

  function submit() {
    const problem = password ? undefined : 'Please enter your password.'
    if (!showProblems({ password: problem })) signingIn.mutate({ email: email.trim(), password })
  }

  return (
    <AuthForm
      ref={form}
      submitLabel="Sign In"
      busy={signingIn.isPending}
      onSubmit={submit}
      footer={
        <button type="button" className={styles.link} onClick={onOtherAccount}>
          Sign in as someone else
        </button>
      }
    >
      <TextField
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        readOnly={knownEmail !== ''}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <PasswordField
        data-autofocus
        label="Password"
        name="password"
        autoComplete="current-password"
        required
        value={password}
        error={problems.password}
        onChange={(event) => setPassword(event.target.value)}
      />
    </AuthForm>
  )
}
