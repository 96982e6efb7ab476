// Marks for early-access and Premium-only content. They render nothing for unrestricted content.
import { IconCrown } from '#web/base/ui/icons/icons.ts'
import type { Restriction } from '#contract/fields/availability.ts'
import {
  getEarlyAccessText,
  canHearRestricted,
  restrictionMark,
  restrictionNow,
  getRestrictionText,
} from '../../base/format/format-restriction.ts'
import { useSession } from '../../base/session/session.ts'
import styles from './premium-mark.module.css'

export interface PremiumMarkProps {
  of: Parameters<typeof restrictionNow>[0]
}

/** Shows a short label, for lists. The tooltip has the full text. */
export function PremiumMark({ of: marks }: PremiumMarkProps) {
  const restriction = restrictionNow(marks)
  return restriction && <Mark restriction={restriction} />
}

/** Shows the full text, for the head of a page. */
export function PremiumNote({ of: marks }: PremiumMarkProps) {
  const restriction = restrictionNow(marks)
  return restriction && <Note restriction={restriction} />
}

function Mark({ restriction }: { restriction: Restriction }) {
  const canHear = useCanHearRestricted()
  const { lead, words } = restrictionMark(restriction, canHear)
  return (
    <span className={styles.mark} data-tooltip={selectRestrictionText(restriction, canHear)}>
      <IconCrown aria-hidden="true" />
      <span>
        <span className={styles.lead}>{lead}</span>
        {words}
      </span>
    </span>
  )
}

function Note({ restriction }: { restriction: Restriction }) {
  return (
    <p className={styles.note}>
      <IconCrown aria-hidden="true" />
      {selectRestrictionText(restriction, useCanHearRestricted())}
    </p>
  )
}

function useCanHearRestricted(): boolean {
  return canHearRestricted(useSession().user)
}

function selectRestrictionText(restriction: Restriction, canHear: boolean): string {
  return canHear ? getEarlyAccessText(restriction) : getRestrictionText(restriction)
}
