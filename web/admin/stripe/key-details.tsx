// Shows what is known about a Stripe key: its account, mode, last characters and missing permissions.
import type { StripeRight } from '#contract/admin/money/admin-stripe.ts'
import { Badge } from '../../base/ui/display/badge.tsx'
import styles from './stripe.module.css'
import { getRightLabels } from './stripe-texts.ts'

interface Facts {
  account_name: string | null
  account_id: string | null
  is_live: boolean
  last4: string
  missing_rights: StripeRight[]
}

export function KeyDetails({
  facts,
  isConnected = false,
}: {
  facts: Facts
  isConnected?: boolean
}) {
  const { account_name, account_id, is_live, last4, missing_rights } = facts
  return (
    <div className={styles.facts}>
      <p className={styles.account}>
        {isConnected && <Badge tone="success">Connected</Badge>}
        {account_name && <strong>{account_name}</strong>}
        <Badge tone={is_live ? 'neutral' : 'warning'}>{is_live ? 'Live mode' : 'Test mode'}</Badge>
        <span>Key ending in {last4}</span>
        {account_id && account_id !== account_name && <code>{account_id}</code>}
      </p>
      {!is_live && <p>No real payments are made in test mode. Only test cards work.</p>}
      {missing_rights.length > 0 && (
        <div>
          <p>
            This key lacks permissions that the service needs. Grant these permissions in the Stripe
            dashboard:
          </p>
          <ul className={styles.rights}>
            {getRightLabels(missing_rights).map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}
