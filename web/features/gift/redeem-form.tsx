// The form for a gift code, typed or from the link in an email.
import { useState, type FormEvent } from 'react'
import { useSearchParams } from 'react-router'
import { giftCodeParam } from '#contract/gifts.ts'
import { errorText } from '../../base/api/show-error.ts'
import { formatEndDay } from '../../base/format/format-end-day.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import styles from './gift-page.module.css'
import { useRedeemGift } from './gift-queries.ts'

export function RedeemForm() {
  const [params] = useSearchParams()
  const [code, setCode] = useState(() => params.get(giftCodeParam) ?? '')
  const [problem, setProblem] = useState<string>()
  const redeeming = useRedeemGift()
  function submit(event: FormEvent) {
    event.preventDefault()
    if (redeeming.isPending) return
    if (code.trim() === '') return setProblem('Please enter a code.')
    redeeming.mutate(code)
  }
  if (redeeming.data) {
    const { ends_at } = redeeming.data
    return (
      <div className={styles.done} role="status">
        <p>
          {ends_at === null
            ? 'The gift is yours. It starts when your paid plan ends. To use it earlier, cancel your plan: you lose nothing.'
            : `The gift is yours: Premium until ${formatEndDay(ends_at, { dateStyle: 'long' })}.`}
        </p>
        <ButtonLink to="/browse" variant="primary">
          Start Listening
        </ButtonLink>
      </div>
    )
  }
  return (
    <form className={styles.redeem} noValidate onSubmit={submit}>
      <TextField
        label="Code"
        placeholder="7K3M-9QXP-2RTV-B6WD"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        value={code}
        error={problem ?? (redeeming.error ? errorText(redeeming.error) : undefined)}
        onChange={({ target }) => {
          setProblem(undefined)
          redeeming.reset()
          setCode(target.value)
        }}
      />
      <span>
        <Button type="submit" variant="primary" busy={redeeming.isPending}>
          Redeem
        </Button>
      </span>
    </form>
  )
}
