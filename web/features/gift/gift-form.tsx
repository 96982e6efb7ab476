// The form for buying a gift: duration, sender, recipient and delivery.
import { useState, type FormEvent } from 'react'
import { giftMessageMaxLength, type GiftMonths } from '#contract/gifts.ts'
import type { Output } from '#contract/endpoint.ts'
import type { listGifts } from '#contract/gifts.ts'
import { formatMoney } from '#contract/currencies.ts'
import { useSession } from '../../base/session/session.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { TextArea } from '../../base/ui/controls/text-area.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import styles from './gift-page.module.css'
import { useBuyGift } from './gift-queries.ts'
import { formatPeriod } from './format-period.ts'

export interface GiftFormProps {
  offers: Output<typeof listGifts>['offers']
  /** False while nothing can be bought. */
  isLive: boolean
}

interface GiftOrder {
  months: GiftMonths
  from_name: string
  way: 'mail' | 'hand'
  recipient_email: string
  message: string
  send_on: string
}

export function GiftForm({ offers, isLive }: GiftFormProps) {
  const { user } = useSession()
  const [order, setOrder] = useState<GiftOrder>({
    months: 3,
    from_name: user?.display_name ?? '',
    way: 'mail',
    recipient_email: '',
    message: '',
    send_on: '',
  })
  const [problems, setProblems] = useState<Partial<Record<keyof GiftOrder, string>>>({})
  const change = (changes: Partial<GiftOrder>) => setOrder({ ...order, ...changes })
  const buying = useBuyGift()
  if (!isLive) return <p className={styles.text}>Gifts will be available soon.</p>
  const isMailed = order.way === 'mail'
  function submit(event: FormEvent) {
    event.preventDefault()
    const found = validateGift(order)
    setProblems(found)
    if (Object.keys(found).length > 0 || buying.isPending) return
    buying.mutate({
      months: order.months,
      from_name: order.from_name.trim(),
      recipient_email: isMailed ? order.recipient_email.trim() : null,
      message: isMailed ? order.message.trim() : '',
      send_on: isMailed && order.send_on !== '' ? order.send_on : null,
    })
  }
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <Select
        label="Duration"
        options={offers.map(({ months, price_cents, currency }) => ({
          value: String(months),
          label: `${formatPeriod(months)} for ${formatMoney(price_cents, currency)}`,
        }))}
        value={String(order.months)}
        onChange={({ target }) => {
          const offer = offers.find(({ months }) => String(months) === target.value)
          if (offer) change({ months: offer.months })
        }}
      />
      <TextField
        label="From"
        autoComplete="name"
        maxLength={100}
        value={order.from_name}
        error={problems.from_name}
        onChange={({ target }) => change({ from_name: target.value })}
      />
      <Select
        label="Delivery"
        options={[
          { value: 'mail', label: 'By email' },
          { value: 'hand', label: 'I print it or pass on the code' },
        ]}
        value={order.way}
        onChange={({ target }) => change({ way: target.value === 'hand' ? 'hand' : 'mail' })}
      />
      {isMailed && <MailFields {...{ order, problems }} onChange={change} />}
      <span>
        <Button type="submit" variant="primary" busy={buying.isPending}>
          Buy Gift
        </Button>
      </span>
    </form>
  )
}

function MailFields({
  order,
  problems,
  onChange,
}: {
  order: GiftOrder
  problems: Partial<Record<keyof GiftOrder, string>>
  onChange: (changes: Partial<GiftOrder>) => void
}) {
  return (
    <>
      <TextField
        label="Recipient’s email address"
        type="email"
        inputMode="email"
        autoComplete="off"
        maxLength={320}
        value={order.recipient_email}
        error={problems.recipient_email}
        onChange={({ target }) => onChange({ recipient_email: target.value })}
      />
      <TextArea
        label="Message"
        rows={3}
        maxLength={giftMessageMaxLength}
        value={order.message}
        onChange={({ target }) => onChange({ message: target.value })}
      />
      <TextField
        label="Delivery date"
        type="date"
        hint="Leave it empty to send the gift right after payment."
        value={order.send_on}
        onChange={({ target }) => onChange({ send_on: target.value })}
      />
    </>
  )
}

function validateGift({ from_name, way, recipient_email }: GiftOrder) {
  const problems: Partial<Record<keyof GiftOrder, string>> = {}
  if (from_name.trim() === '') problems.from_name = 'Please enter your name.'
  if (way === 'mail' && !/^\S+@\S+\.\S+$/.test(recipient_email.trim())) {
    problems.recipient_email = 'Please enter a valid email address.'
  }
  return problems
}
