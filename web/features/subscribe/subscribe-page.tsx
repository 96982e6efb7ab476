// The Subscribe screen, with both paid plans and what Premium includes. If the server has no Stripe keys, every
// purchase shows 'Coming Soon'.
import { useQuery } from '@tanstack/react-query'
import { IconGift } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import { defaultPricing } from '#contract/plans.ts'
import type { PaidPlan, Plan } from '#contract/billing.ts'
import type { Promotion } from '#contract/promotions.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { useSession } from '../../base/session/session.ts'
import { CodeField } from './code-field.tsx'
import { CheckoutReturn } from './checkout-return.tsx'
import { MemberPlan } from './member-plan.tsx'
import { PlanCard } from './plan-card.tsx'
import { PremiumComparison } from './premium-comparison.tsx'
import { monthlyFeatures, formatTrial, yearlyFeatures, yearlySavingPercent } from './plan-labels.ts'
import styles from './subscribe-page.module.css'
import { plansQuery, useSubscribe } from './subscribe-queries.ts'

/** The default prices, used until the server has responded. */
const usualPlans: Plan[] = [
  { plan: 'monthly', price_cents: defaultPricing.monthly_cents, currency: 'usd', trial_days: 0 },
  { plan: 'yearly', price_cents: defaultPricing.yearly_cents, currency: 'usd', trial_days: 0 },
]

const otherPlan = { monthly: 'yearly', yearly: 'monthly' } as const

export function SubscribePage() {
  const { user } = useSession()
  const { data } = useQuery(plansQuery)
  const plans = data?.data ?? usualPlans
  const monthly = plans.find(({ plan }) => plan === 'monthly')
  const yearly = plans.find(({ plan }) => plan === 'yearly')
  const subscribing = useSubscribe()
  const busyPlan = subscribing.isPending ? subscribing.variables.plan : undefined
  const [promotion, setPromotion] = useState<Promotion | null>(null)
  // Don't send a code for the other plan: the server would reject it.
  const subscribe = (plan: PaidPlan) =>
    subscribing.mutate({
      plan,
      ...(promotion && promotion.plan !== otherPlan[plan] && { promotion_code: promotion.code }),
    })
  const saving = monthly && yearly && yearlySavingPercent(monthly, yearly)
  // The server rejects a second purchase. Existing subscriptions are managed on the profile.
  const isBought = Boolean(data?.is_purchase_live && (user?.is_premium || user?.payment_problem))
  const needsCard = data?.trial_needs_card ?? true
  const trialOf = (plan: Plan, period: string) =>
    data?.is_purchase_live ? formatTrial(plan, period, needsCard) : null
  return (
    <div className={styles.page}>
      <CheckoutReturn />
      <header className={styles.header}>
        <h1 className={styles.title}>Hear every song to its last note</h1>
        <p className={styles.text}>
          One Premium, two ways to pay. Full-length tracks, unlimited playlists, no ads.
        </p>
      </header>
      {user && <MemberPlan profile={user} />}
      {data?.is_purchase_live && !isBought && (
        <CodeField promotion={promotion} onChange={setPromotion} />
      )}
      <div className={styles.plans}>
        {monthly && (
          <PlanCard
            name="Monthly"
            plan={monthly}
            period="per month"
            trial={trialOf(monthly, 'per month')}
            features={monthlyFeatures}
            isBought={isBought}
            busy={busyPlan === 'monthly'}
            onSubscribe={() => subscribe('monthly')}
          />
        )}
        {yearly && (
          <PlanCard
            name="Yearly"
            plan={yearly}
            period="per year"
            trial={trialOf(yearly, 'per year')}
            {...(saving && { badge: `Save ${saving}%` })}
            features={yearlyFeatures}
            highlighted
            isBought={isBought}
            busy={busyPlan === 'yearly'}
            onSubscribe={() => subscribe('yearly')}
          />
        )}
      </div>
      <p className={styles.gift}>
        <ButtonLink to="/gift" icon={<IconGift />}>
          Give or Redeem a Gift
        </ButtonLink>
      </p>
      <PremiumComparison />
    </div>
  )
}
