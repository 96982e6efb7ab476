// A person's plan: tier, end date, payment method, and buttons to change it.
import { IconPencil, IconPlus } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import type { Subscription } from '#contract/admin/admin-billing.ts'
import type { AdminUser } from '#contract/admin/admin-users.ts'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { NoteCell } from '../billing/note-cell.tsx'
import { SubscriptionDialog } from '../billing/subscription-dialog.tsx'
import { isStripe, Payment, PortalButton, QuickMenu } from '../billing/subscription-row.tsx'
import { formatDay, formatEnd } from '../shared/format/format-moment.ts'
import { StatusBadge } from '../shared/lists/status-badge.tsx'
import { PersonCard } from './person-card.tsx'
import styles from './person-card.module.css'
import { usePersonSubscription } from '../people/person-queries.ts'
import type { PersonQuestion } from '../people/person-question.ts'
import { PlanMenu } from '../people/role-and-plan.tsx'

export interface PersonPlanProps {
  user: AdminUser
  onAsk: (question: PersonQuestion) => void
}

export function PersonPlan({ user, onAsk }: PersonPlanProps) {
  const subscription = usePersonSubscription(user.id)
  const [isEditing, setEditing] = useState(false)
  return (
    <PersonCard title="Plan" query={subscription}>
      {(row) => (
        <>
          <dl className={styles.facts}>
            <dt>Tier</dt>
            <dd>
              <PlanMenu user={user} onAsk={onAsk} />
              <StatusBadge status={row.status} />
            </dd>
            <dt>Source</dt>
            <dd>
              <Payment row={row} />
              {isStripe(row) && !row.is_billed && <Badge>No billing</Badge>}
            </dd>
            <dt>Started</dt>
            <dd>{row.start_date ? formatDay(row.start_date) : 'N/A'}</dd>
            <dt>{row.tier === 'lifetime' ? 'Valid Until' : 'Renewal Date'}</dt>
            <dd>{row.renewal_date ? formatEnd(row.renewal_date) : 'N/A'}</dd>
            {row.trial_ends_at && (
              <>
                <dt>Free Trial</dt>
                <dd>Until {formatEnd(row.trial_ends_at)}</dd>
              </>
            )}
            <dt>Billing note</dt>
            <dd>
              <NoteCell row={row} />
            </dd>
          </dl>
          <PlanButtons row={row} onEdit={() => setEditing(true)} />
          <SubscriptionDialog
            open={isEditing}
            editing={row.is_manual ? row : null}
            presetUserId={row.user_id}
            onClose={() => setEditing(false)}
          />
        </>
      )}
    </PersonCard>
  )
}

function PlanButtons({ row, onEdit }: { row: Subscription; onEdit: () => void }) {
  return (
    <div className={styles.buttons}>
      {!isStripe(row) && (
        <Button size="small" icon={row.is_manual ? <IconPencil /> : <IconPlus />} onClick={onEdit}>
          {row.is_manual ? 'Edit Subscription' : 'Add Manual Subscription'}
        </Button>
      )}
      {row.stripe_customer_id && <PortalButton row={row} />}
      {isStripe(row) && <QuickMenu row={row} onAdd={onEdit} />}
    </div>
  )
}
