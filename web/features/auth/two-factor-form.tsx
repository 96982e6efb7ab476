// Second step of signing in: a code from the authenticator app, or a recovery code.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../base/api/api.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { verifySecondFactor } from '../../base/session/session.ts'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { AuthForm } from './auth-form.tsx'
import styles from './auth-form.module.css'
import { showWelcome } from './use-sign-in.ts'

export interface TwoFactorFormProps {
  /** Returns to email and password, by the user's choice or because the step has expired. */
  onRestart: () => void
  /** Heading of the form. Absent in a dialog, which has its own title. */
  title?: string
}

const looks = {
  authenticator: {
    text: 'Enter the six-digit code from your authenticator app.',
    label: 'Authentication code',
    other: 'Use a recovery code instead',
  },
  recovery: {
    text: 'Enter one of your recovery codes. Each works once.',
    label: 'Recovery code',
    other: 'Use the authenticator app instead',
  },
}

export function TwoFactorForm({ onRestart, title }: TwoFactorFormProps) {
  const queryClient = useQueryClient()
  const [kind, setKind] = useState<keyof typeof looks>('authenticator')
  const [code, setCode] = useState('')
  const { form, problems, showProblems } = useProblems<{ code: string }>()
  const input = useRef<HTMLInputElement>(null)
  const verifying = useMutation({
    mutationFn: () => verifySecondFactor(queryClient, kind, code.trim()),
    onSuccess: showWelcome,
    onError(error) {
      if (error instanceof ApiError && error.code === 'two_factor_invalid') {
        showProblems({ code: error.message })
        input.current?.select()
        return
      }
      showToast({ tone: 'destructive', title: 'Error', message: error.message })
      if (error instanceof ApiError && error.code === 'two_factor_expired') onRestart()
    },
  })

  // Focus the code field, so that the user can keep typing.
  useEffect(() => input.current?.focus(), [])

  function submit() {
    if (code.trim()) verifying.mutate()
    else showProblems({ code: 'Please enter the code.' })
  }

  const { text, label, other } = looks[kind]
  return (
    <AuthForm
      ref={form}
      title={title}
      text={text}
      submitLabel="Verify"
      busy={verifying.isPending}
      onSubmit={submit}
      footer={
        <button type="button" className={styles.link} onClick={onRestart}>
          Back to Sign In
        </button>
      }
    >
      <TextField
        ref={input}
        label={label}
        name="code"
        autoComplete="one-time-code"
        inputMode={kind === 'authenticator' ? 'numeric' : 'text'}
        autoCapitalize="none"
        spellCheck={false}
        value={code}
        error={problems.code}
        onChange={(event) => setCode(event.target.value)}
      />
      <button
        type="button"
        className={styles.link}
        onClick={() => {
          setKind(kind === 'recovery' ? 'authenticator' : 'recovery')
          showProblems({})
          setCode('')
          input.current?.focus()
        }}
      >
        {other}
      </button>
    </AuthForm>
  )
}
