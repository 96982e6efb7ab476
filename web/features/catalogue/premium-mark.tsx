// Marks for something in early access or for Premium only. They render nothing for unrestricted content.
import { IconCrown } from '#web/base/ui/icons/icons.ts'
import type { Restriction } from '#contract/fields/availability.ts'
import {
  earlySentence,
  hearsRestricted,
  restrictionMark,
  restrictionNow,
  restrictionSentence,
} from '../../base/format/format-restriction.ts'
import { useSession } from '../../base/session/session.ts'
import styles from './premium-mark.module.css'

export interface PremiumMarkProps {
  of: Parameters<typeof restrictionNow>[0]
}

/** A few words, for lists. The tooltip has the whole sentence. */
export function PremiumMark({ of: marks }: PremiumMarkProps) {
  const restriction = restrictionNow(marks)
  return restriction && <Mark restriction={restriction} />
}

/** The whole sentence, for the head of a page. */
export function PremiumNote({ of: marks }: PremiumMarkProps) {
  const restriction = restrictionNow(marks)
  return restriction && <Note restriction={restriction} />
}

function Mark({ restriction }: { restriction: Restriction }) {
  const isHeard = useIsHeard()
  const { lead, words } = restrictionMark(restriction, isHeard)
  return (
    <span className={styles.mark} data-tooltip={sentenceOf(restriction, isHeard)}>
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
      {sentenceOf(restriction, useIsHeard())}
    </p>
  )
}

function useIsHeard(): boolean {
  return hearsRestricted(useSession().user)
}

function sentenceOf(restriction: Restriction, isHeard: boolean): string {
  return isHeard ? earlySentence(restriction) : restrictionSentence(restriction)
}
