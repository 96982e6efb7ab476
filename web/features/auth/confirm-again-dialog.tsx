// Asks for the password or a code before an irreversible action. The screen behind the dialog stays mounted.
import { useMutation } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState, type FormEvent } from 'react'
import type { Profile } from '#contract/profiles.ts'
import { confirmSession } from '#contract/sessions.ts'
import { ApiError, call, isSessionOver } from '../../base/api/api.ts'
import type { ConfirmQuestion } from '../../base/api/confirm-again.ts'
import { showError } from '../../base/api/show-error.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { FormButtons } from '../../base/ui/overlays/form-buttons.tsx'
import { PasswordField } from '../../base/ui/controls/password-field.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import form from './auth-form.module.css'
import styles from './confirm-again-dialog.module.css'

export interface ConfirmAgainDialogProps {
  member: Profile
  /** The confirmation that is asked for; null when the dialog is closed. */
  question: ConfirmQuestion | null
}

const kinds = {
  password: {
    text: 'Enter your password to continue.',
    missing: 'Please enter your password.',
    other: 'Use a code from your authenticator app',
  },
  code: {
    text: 'Enter the code from your authenticator app to continue.',
    missing: 'Please enter the code.',
    other: 'Use your password',
  },
} as const

export function ConfirmAgainDialog({ member, question }: ConfirmAgainDialogProps) {
  const formId = useId()
  const [kind, setKind] = useState<keyof typeof kinds>('password')
  // The fields keep their values while the dialog closes. Each new opening starts with empty fields.
  const [number, setNumber] = useState(question?.number)
  if (question && question.number !== number) setNumber(question.number)
  const confirming = useMutation({
    mutationFn: (typed: string) =>
      call(confirmSession, { body: kind === 'code' ? { code: typed } : { password: typed } }),
    onSuccess: () => question?.answer(true),
    onError(error) {
      if (isSessionOver(error)) question?.answer(false)
      else if (!isRefusal(error)) showError(error)
    },
  })
  function cancel() {
    confirming.reset()
    question?.answer(false)
  }
  return (
    <Dialog
      open={question !== null}
      onClose={cancel}
      size="small"
      title="Confirm it’s you"
      description={`${kinds[kind].text} You won’t be asked again for 10 minutes.`}
      footer={
        <FormButtons form={formId} label="Confirm" busy={confirming.isPending} onCancel={cancel} />
      }
    >
      <ConfirmForm
        key={`${kind}-${number}`}
        id={formId}
        kind={kind}
        email={member.email}
        confirming={confirming}
      />
      {member.two_factor_enabled && (
        <p className={styles.other}>
          <button
            type="button"
            className={form.link}
            onClick={() => {
              confirming.reset()
              setKind(kind === 'code' ? 'password' : 'code')
            }}
          >
            {kinds[kind].other}
          </button>
        </p>
      )}
    </Dialog>
  )
}

interface ConfirmFormProps {
  id: string
  kind: keyof typeof kinds
  email: string
  confirming: {
    error: Error | null
    isPending: boolean
    isError: boolean
    reset: () => void
    mutate: (typed: string, options: { onError: () => void }) => void
  }
}

function ConfirmForm({ id, kind, email, confirming }: ConfirmFormProps) {
  const [typed, setTyped] = useState('')
  const { form: element, problems, showProblems } = useProblems<{ typed: string }>()
  const input = useRef<HTMLInputElement>(null)
  const refusal = isRefusal(confirming.error) ? confirming.error.message : undefined

  // Move the focus here: the field of the other mode had the focus and is no longer mounted.
  useEffect(() => input.current?.focus(), [])

  function submit(event: FormEvent) {
    event.preventDefault()
    if (confirming.isPending) return
    const value = kind === 'code' ? typed.trim() : typed
    if (showProblems({ typed: value ? undefined : kinds[kind].missing })) return
    confirming.mutate(value, { onError: () => input.current?.select() })
  }

  const field = {
    ref: input,
    'data-autofocus': true,
    value: typed,
    error: problems.typed ?? refusal,
    onChange({ target }: { target: HTMLInputElement }) {
      setTyped(target.value)
      showProblems({})
      if (confirming.isError) confirming.reset()
    },
  }
  return (
    <form ref={element} id={id} onSubmit={submit} noValidate>
      {/* A hidden user name, so that password managers fill in the right password. */}
      <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />
      {kind === 'code' ? (
        <TextField
          {...field}
          label="Authentication code"
          name="code"
          autoComplete="one-time-code"
          inputMode="numeric"
          spellCheck={false}
        />
      ) : (
        <PasswordField
          {...field}
          label="Password"
          name="password"
          autoComplete="current-password"
        />
      )}
    </form>
  )
}

/** True for errors that are shown below the field. All others are shown in a toast. */
function isRefusal(error: Error | null): error is ApiError {
  return (
    error instanceof ApiError &&
    ['password_wrong', 'two_factor_invalid', 'rate_limited'].includes(error.code)
  )
}
