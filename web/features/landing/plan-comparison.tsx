// Both plans side by side, with the specification's wording and prices.
import { IconCheck } from '#web/base/ui/icons/icons.ts'
import type { ReactNode } from 'react'
import { formatMoney } from '#contract/currencies.ts'
import { buildSignInPath } from '#contract/return-path.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { useSession } from '../../base/session/session.ts'
import { useSite } from '../../base/session/site.ts'
import styles from './plan-comparison.module.css'

const freeFeatures = ['All public playlists', 'Standard audio quality', 'Ad-supported']
const premiumFeatures = [
  'Unlimited playlist access',
  'High-quality audio',
  'Ad-free',
  'Early access to new playlists',
]

export function PlanComparison() {
  const { plans_heading, pricing } = useSite()
  const isSignedIn = useSession().status === 'signed-in'
  return (
    <section id="plans" className={styles.section} aria-labelledby="plans-heading">
      <h2 id="plans-heading" className={styles.heading}>
        {plans_heading}
      </h2>
      <div className={styles.plans}>
        <Plan name="Free" price={freePrice(pricing.currency)} features={freeFeatures}>
          <ButtonLink to="/auth" size="large" wide>
            {isSignedIn ? 'Current Plan' : 'Get Started'}
          </ButtonLink>
        </Plan>
        <Plan
          name="Premium"
          price={formatMoney(pricing.monthly_cents, pricing.currency)}
          period="per month"
          features={premiumFeatures}
          highlighted
        >
          <ButtonLink
            to={isSignedIn ? '/subscribe' : buildSignInPath('/subscribe')}
            variant="primary"
            size="large"
            wide
          >
            Upgrade to Premium
          </ButtonLink>
        </Plan>
      </div>
    </section>
  )
}

/** Returns the price of the Free plan, such as `$0`. */
function freePrice(currency: string): string {
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    maximumFractionDigits: 0,
  }).format(0)
}

interface PlanProps {
  name: string
  price: string
  period?: string
  features: string[]
  highlighted?: boolean
  children: ReactNode
}

function Plan({ name, price, period, features, highlighted, children }: PlanProps) {
  return (
    <article className={styles.plan} data-highlighted={highlighted || undefined}>
      <h3 className={styles.name}>{name}</h3>
      <p className={styles.price}>
        <span className={styles.amount}>{price}</span> {period}
      </p>
      <ul className={styles.features}>
        {features.map((feature) => (
          <li key={feature}>
            <IconCheck aria-hidden="true" />
            {feature}
          </li>
        ))}
      </ul>
      {children}
    </article>
  )
}
