// Form to enter a Stripe key. The server checks the key with Stripe before saving it.
import { useState, type FormEvent } from 'react'
import { stripeKeyMaxLength, type StripeKeyCheck } from '#contract/admin/money/admin-stripe.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { PasswordField } from '../../base/ui/controls/password-field.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { KeyDetails } from './key-details.tsx'
import { useCheckKey, useSetKey } from './stripe-queries.ts'
import styles from './stripe.module.css'
import { describeAccountChange, isInUse, findKeyProblem } from './stripe-texts.ts'

export interface StripeKeyFormProps {
  onDone: () => void
  /** Undefined to show no Cancel button. */
  onCancel: (() => void) | undefined
}

export function StripeKeyForm({ onDone, onCancel }: StripeKeyFormProps) {
  const [key, setKey] = useState('')
  const { form, problems, showProblems } = useProblems<{ key: string }>()
  const check = useCheckKey()
  const saving = useSetKey(() => {
    setKey('')
    check.reset()
    onDone()
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    const problem = findKeyProblem(key)
    if (showProblems(problem ? { key: problem } : {})) return
    if (!check.isPending) check.mutate(key.trim())
  }
  return (
    <form ref={form} className={styles.form} noValidate autoComplete="off" onSubmit={submit}>
      <PasswordField
        label="Secret or restricted key"
        secretName="key"
        autoComplete="off"
        placeholder="sk_live_... or rk_live_..."
        hint="It is checked with Stripe, then stored encrypted."
        maxLength={stripeKeyMaxLength}
        value={key}
        error={problems.key}
        disabled={saving.isPending}
        onChange={({ target }) => {
          setKey(target.value)
          check.reset()
        }}
      />
      {check.data && <Checked facts={check.data} saving={saving} keyText={key.trim()} />}
      <div className={styles.buttons}>
        {!check.data && (
          <Button type="submit" variant="primary" busy={check.isPending}>
            Check Key
          </Button>
        )}
        {onCancel && (
          <Button disabled={saving.isPending} onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  )
}

interface CheckedProps {
  facts: StripeKeyCheck
  keyText: string
  saving: ReturnType<typeof useSetKey>
}

function Checked({ facts, keyText, saving }: CheckedProps) {
  const [isConfirmOpen, setIsConfirmOpen] = useState(false)
  const isOther = facts.change === 'other'
  return (
    <div className={styles.note} role="status">
      <KeyDetails facts={facts} />
      {isOther && <p>{describeAccountChange(facts)}</p>}
      {!(isOther && isInUse(facts.in_use)) && (
        <span>
          <Button
            variant="primary"
            busy={saving.isPending}
            onClick={() => (isOther ? setIsConfirmOpen(true) : saving.mutate({ key: keyText }))}
          >
            Save Key
          </Button>
        </span>
      )}
      <ConfirmDialog
        open={isConfirmOpen}
        title="Change the Stripe account?"
        message={`${describeAccountChange(facts)} Payment pages open at the previous account are closed if its key still works. If that key was revoked, check that account for payments of the last 24 hours.`}
        confirmLabel="Change Account"
        busy={saving.isPending}
        onConfirm={() => saving.mutate({ key: keyText, other_account: true })}
        onCancel={() => setIsConfirmOpen(false)}
      />
    </div>
  )
}
