// The member's subscription and how to change it.
import { IconCreditCard, IconCrown } from '#web/base/ui/icons/icons.ts'
import { useState, type ReactNode } from 'react'
import type { OwnSubscription } from '#contract/own-subscription.ts'
import type { Profile } from '#contract/profiles.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { formatEndDay } from '../../base/format/format-end-day.ts'
import { CancelDialog } from './cancel-dialog.tsx'
import { useOwnSubscription, useResumeSubscription } from './own-subscription-queries.ts'
import { useBillingPortal } from './profile-queries.ts'
import { PlanBadge, PlanStatusBadge } from './plan-badges.tsx'
import styles from './subscription-card.module.css'
import textStyles from '../../base/ui/layout/text.module.css'

export function SubscriptionCard({ profile }: { profile: Profile }) {
  const { subscription_tier, subscription_status, subscription_ends_at, is_premium } = profile
  const { trial_ends_at, payment_problem } = profile
  const portal = useBillingPortal()
  const { data: own } = useOwnSubscription(profile)
  return (
    <Card
      title="Subscription"
      actions={
        is_premium || payment_problem ? (
          <Button icon={<IconCreditCard />} busy={portal.isPending} onClick={() => portal.mutate()}>
            Manage Billing
          </Button>
        ) : (
          <ButtonLink to="/subscribe" variant="primary" icon={<IconCrown />}>
            Upgrade to Premium
          </ButtonLink>
        )
      }
    >
      <dl className={styles.facts}>
        <Fact name="Tier">
          <PlanBadge tier={subscription_tier} />
        </Fact>
        <Fact name="Status">
          <PlanStatusBadge status={subscription_status} />
        </Fact>
        <Fact name={dateName(profile, own)}>
          {subscription_ends_at ? (
            <time dateTime={subscription_ends_at}>
              {formatEndDay(subscription_ends_at, { dateStyle: 'long' })}
            </time>
          ) : subscription_tier === 'lifetime' ? (
            'Forever'
          ) : (
            'N/A'
          )}
        </Fact>
        {trial_ends_at && (
          <Fact name="Free Trial">
            Until{' '}
            <time dateTime={trial_ends_at}>
              {formatEndDay(trial_ends_at, { dateStyle: 'long' })}
            </time>
          </Fact>
        )}
      </dl>
      {own && <Cancellation own={own} />}
    </Card>
  )
}

function dateName({ subscription_tier }: Profile, own: OwnSubscription | null | undefined): string {
  if (own?.cancels) return 'Ends On'
  return subscription_tier === 'lifetime' ? 'Valid Until' : 'Renewal Date'
}

function Cancellation({ own }: { own: OwnSubscription }) {
  const [isCanceling, setCanceling] = useState(false)
  const resuming = useResumeSubscription()
  return (
    <div className={styles.cancellation}>
      {own.cancels ? (
        <>
          <p className={textStyles.soft}>Premium is canceled and does not renew.</p>
          <Button busy={resuming.isPending} onClick={() => resuming.mutate()}>
            Resume Premium
          </Button>
        </>
      ) : (
        <Button onClick={() => setCanceling(true)}>Cancel Premium</Button>
      )}
      <CancelDialog open={isCanceling} subscription={own} onClose={() => setCanceling(false)} />
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt className={textStyles.softSmall}>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
