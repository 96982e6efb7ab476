// The gifts that the member has bought, with their codes.
import type { Gift } from '#contract/gifts.ts'
import { formatEndDay } from '../../base/format/format-end-day.ts'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import styles from './gift-page.module.css'
import { formatPeriod } from './format-period.ts'

const stateLabels: Record<Gift['state'], string> = {
  open: 'Not redeemed yet',
  scheduled: 'Not sent yet',
  sent: 'Sent',
  redeemed: 'Redeemed',
  refunded: 'Refunded',
}

export function GiftList({ gifts }: { gifts: readonly Gift[] }) {
  return (
    <>
      <ul className={styles.list}>
        {gifts.map((gift) => (
          <li key={gift.id}>
            <span>
              <strong>{formatPeriod(gift.months)}</strong> <Badge>{stateLabels[gift.state]}</Badge>
            </span>
            {gift.code && <code className={styles.code}>{gift.code}</code>}
            {gift.recipient_email && gift.send_at && (
              <span className={styles.note}>
                {gift.recipient_email}, {formatEndDay(gift.send_at, { dateStyle: 'long' })}
              </span>
            )}
          </li>
        ))}
      </ul>
      <Button onClick={() => window.print()}>Print</Button>
    </>
  )
}
