// Lists the payments and refunds of a person, newest first.
import { IconPlus } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import { Button } from '../../base/ui/controls/button.tsx'
import { PaymentList, PaymentsSheet } from '../billing/payments-sheet.tsx'
import { PersonCard } from './person-card.tsx'
import styles from './person-card.module.css'
import { usePersonPayments } from '../people/person-queries.ts'

const initialCount = 6

export function PersonPayments({ user }: { user: { id: string; email: string } }) {
  const payments = usePersonPayments(user.id)
  const [isWhole, setWhole] = useState(false)
  const [isAdding, setAdding] = useState(false)
  return (
    <PersonCard
      title="Payments"
      query={payments}
      actions={
        <Button size="small" icon={<IconPlus />} onClick={() => setAdding(true)}>
          Add Entry
        </Button>
      }
    >
      {(data) => (
        <>
          <PaymentList payments={isWhole ? data : data.slice(0, initialCount)} />
          {data.length > initialCount && !isWhole && (
            <div className={styles.buttons}>
              <Button size="small" variant="quiet" onClick={() => setWhole(true)}>
                Show all {data.length} entries
              </Button>
            </div>
          )}
          <PaymentsSheet
            row={isAdding ? { user_id: user.id, email: user.email } : null}
            onClose={() => setAdding(false)}
          />
        </>
      )}
    </PersonCard>
  )
}
