// Requires the password for a sensitive action. The submit button is in the dialog's footer and refers to this form.
import { useMutation } from '@tanstack/react-query'
import { useRef, useState, type FormEvent } from 'react'
import { ApiError } from '../../base/api/api.ts'
import { showError } from '../../base/api/show-error.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { PasswordField } from '../../base/ui/controls/password-field.tsx'

/** A mutation that takes the password. A wrong password is shown under the field, other errors in a toast. */
export function usePasswordMutation<Result>(
  act: (password: string) => Promise<Result>,
  onDone: (result: Result) => void,
) {
  return useMutation({
    mutationFn: act,
    onSuccess: onDone,
    onError(error) {
      if (!isWrongPassword(error)) showError(error)
    },
  })
}

function isWrongPassword(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'password_wrong'
}

export interface PasswordFormProps {
  /** The id for the `form` attribute of the submit button. */
  id: string
  /** The return value of usePasswordMutation. */
  acting: {
    error: Error | null
    isPending: boolean
    isError: boolean
    reset: () => void
    mutate: (password: string, options: { onError: () => void }) => void
  }
}

export function PasswordForm({ id, acting }: PasswordFormProps) {
  const [password, setPassword] = useState('')
  const { form, problems, showProblems } = useProblems<{ password: string }>()
  const input = useRef<HTMLInputElement>(null)
  const refusal = isWrongPassword(acting.error) ? acting.error?.message : undefined

  function submit(event: FormEvent) {
    event.preventDefault()
    if (acting.isPending) return
    if (showProblems({ password: password ? undefined : 'Please enter your password.' })) return
    acting.mutate(password, { onError: () => input.current?.select() })
  }

  return (
    <form ref={form} id={id} onSubmit={submit} noValidate>
      <PasswordField
        ref={input}
        label="Password"
        name="password"
        autoComplete="current-password"
        data-autofocus
        value={password}
        error={problems.password ?? refusal}
        onChange={({ target }) => {
          setPassword(target.value)
          showProblems({})
          if (acting.isError) acting.reset()
        }}
      />
    </form>
  )
}
