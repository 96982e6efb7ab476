// A plan with its price, features and button.
import { IconCheck } from '#web/base/ui/icons/icons.ts'
import { useId } from 'react'
import type { Plan } from '#contract/billing.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import styles from './plan-card.module.css'
import { formatPrice } from './plan-labels.ts'
import textStyles from '../../base/ui/layout/text.module.css'
import layout from '../../base/ui/layout/layout.module.css'

export interface PlanCardProps {
  name: string
  plan: Plan
  /** Such as 'per month'. */
  period: string
  /** Such as '7 days free, then $9.99 per month.' Null if there is no trial. */
  trial: string | null
  badge?: string
  features: readonly string[]
  highlighted?: boolean
  /** True if the member already has a paid plan. */
  isBought: boolean
  busy: boolean
  onSubscribe: () => void
}

export function PlanCard(props: PlanCardProps) {
  const { name, plan, period, trial, badge, features, highlighted, isBought, busy, onSubscribe } =
    props
  const nameId = useId()
  const variant = highlighted ? 'primary' : 'secondary'
  return (
    <section
      className={styles.card}
      data-highlighted={highlighted || undefined}
      aria-labelledby={nameId}
    >
      <div className={layout.spread}>
        <h2 id={nameId} className={styles.name}>
          {name}
        </h2>
        {badge && <Badge tone="gold">{badge}</Badge>}
      </div>
      <p className={styles.price}>
        <span className={styles.amount}>{formatPrice(plan)}</span> {period}
      </p>
      {trial && !isBought && <p className={textStyles.soft}>{trial}</p>}
      <ul className={styles.features}>
        {features.map((feature) => (
          <li key={feature}>
            <IconCheck aria-hidden="true" />
            {feature}
          </li>
        ))}
      </ul>
      {isBought ? (
        <ButtonLink to="/profile" variant={variant} size="large" wide>
          Manage Subscription
        </ButtonLink>
      ) : (
        <Button
          variant={variant}
          size="large"
          wide
          busy={busy}
          aria-describedby={nameId}
          onClick={onSubscribe}
        >
          Subscribe Now
        </Button>
      )}
    </section>
  )
}
