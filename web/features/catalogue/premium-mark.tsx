// A quiet note that something is in early access, or for Premium only. Renders nothing for what everybody can hear.
import { IconCrown } from '#web/base/ui/icons/icons.ts'
import { restrictionMark, restrictionNow } from '../../base/format/format-restriction.ts'
import styles from './premium-mark.module.css'

export function PremiumMark({ of: marks }: { of: Parameters<typeof restrictionNow>[0] }) {
  const restriction = restrictionNow(marks)
  if (!restriction) return null
  const words = restrictionMark(restriction)
  return (
    <span className={styles.mark} data-tooltip={words}>
      <IconCrown aria-hidden="true" />
      <span className={styles.words}>{words}</span>
    </span>
  )
}
