// The field for a promotion code, typed or from the link `/subscribe?code=`. The server returns its discount.
import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useId, useState, type FormEvent } from 'react'
import { useSearchParams } from 'react-router'
import { checkPromotionCode, type Promotion } from '#contract/promotions.ts'
import { call } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { formatPromotion } from '../../base/format/format-promotion.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import styles from './code-field.module.css'

export const codeParam = 'code'

export interface CodeFieldProps {
  promotion: Promotion | null
  onChange: (promotion: Promotion | null) => void
}

export function CodeField({ promotion, onChange }: CodeFieldProps) {
  const formId = useId()
  const [params] = useSearchParams()
  const [code, setCode] = useState(() => params.get(codeParam) ?? '')
  const checking = useMutation({
    mutationFn: (typed: string) => call(checkPromotionCode, { body: { code: typed } }),
    onSuccess: onChange,
  })
  const checkLinked = useEffectEvent(() => {
    if (code !== '') checking.mutate(code)
  })
  useEffect(() => checkLinked(), [])
  function submit(event: FormEvent) {
    event.preventDefault()
    if (code.trim() !== '' && !checking.isPending) checking.mutate(code)
  }
  if (promotion) {
    return (
      <p className={styles.applied} role="status">
        <span>
          <strong>{promotion.code}</strong>: {formatPromotion(promotion)}
          {promotion.plan && ` of the ${promotion.plan} plan`}.
        </span>
        <Button
          size="small"
          onClick={() => {
            setCode('')
            onChange(null)
          }}
        >
          Remove Code
        </Button>
      </p>
    )
  }
  return (
    <form id={formId} className={styles.form} noValidate onSubmit={submit}>
      <TextField
        label="Promotion code"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        value={code}
        error={checking.error ? errorText(checking.error) : undefined}
        onChange={({ target }) => {
          checking.reset()
          setCode(target.value)
        }}
      />
      <Button type="submit" busy={checking.isPending}>
        Apply Code
      </Button>
    </form>
  )
}
