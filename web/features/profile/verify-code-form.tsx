// The secret for the authenticator app as a QR code and as text, and a first code that proves the app has it.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { verifyTotp } from '#contract/auth.ts'
import { ApiError, call } from '../../base/api/api.ts'
import { showError } from '../../base/api/show-error.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { QrCode } from '../../base/ui/display/qr-code.tsx'
import { changeSecondFactor } from './session-queries.ts'
import styles from './verify-code-form.module.css'
import textStyles from '../../base/ui/layout/text.module.css'

/** Returns a mutation that verifies the first code. A wrong code is shown under the field, other errors in a toast. */
export function useVerifyFirstCode(onVerified: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (code: string) =>
      changeSecondFactor(queryClient, () => call(verifyTotp, { body: { code } })),
    onSuccess: onVerified,
    onError(error) {
      if (!isWrongCode(error)) showError(error)
    },
  })
}

function isWrongCode(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'two_factor_invalid'
}

export interface VerifyCodeFormProps {
  /** The id for the `form` attribute of the submit button. */
  id: string
  /** `otpauth://totp/…` */
  totpUri: string
  verifying: ReturnType<typeof useVerifyFirstCode>
}

export function VerifyCodeForm({ id, totpUri, verifying }: VerifyCodeFormProps) {
  const [code, setCode] = useState('')
  const { form, problems, showProblems } = useProblems<{ code: string }>()
  const input = useRef<HTMLInputElement>(null)
  const refusal = isWrongCode(verifying.error) ? verifying.error?.message : undefined

  // Move the focus here: the field of the previous step had the focus and is no longer mounted.
  useEffect(() => input.current?.focus(), [])

  function submit(event: FormEvent) {
    event.preventDefault()
    if (verifying.isPending) return
    if (showProblems({ code: code.trim() ? undefined : 'Please enter the code.' })) return
    verifying.mutate(code.trim(), { onError: () => input.current?.select() })
  }

  return (
    <form ref={form} id={id} className={styles.form} onSubmit={submit} noValidate>
      <QrCode text={totpUri} label="QR code for your authenticator app" />
      <div className={styles.fields}>
        <div>
          <p className={textStyles.softSmall}>No camera? Type this key instead:</p>
          <code className={styles.secret}>{parseSecret(totpUri)}</code>
        </div>
        <TextField
          ref={input}
          label="Authentication code"
          name="code"
          autoComplete="one-time-code"
          inputMode="numeric"
          spellCheck={false}
          value={code}
          error={problems.code ?? refusal}
          onChange={({ target }) => {
            setCode(target.value)
            showProblems({})
            if (verifying.isError) verifying.reset()
          }}
        />
      </div>
    </form>
  )
}

/** Returns the secret of the URI in groups of four characters, for easier reading and typing. */
function parseSecret(totpUri: string): string {
  const secret = new URL(totpUri).searchParams.get('secret') ?? ''
  return secret.match(/.{1,4}/g)?.join(' ') ?? ''
}
