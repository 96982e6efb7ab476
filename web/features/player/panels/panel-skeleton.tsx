// Shown while a panel loads.
import { Skeleton } from '../../../base/ui/display/skeleton.tsx'
import styles from './panel-skeleton.module.css'

export function PanelSkeleton() {
  return (
    <div className={styles.skeleton} aria-busy="true">
      {['70%', '45%', '60%', '52%', '66%'].map((width) => (
        <Skeleton key={width} width={width} height="1.25rem" />
      ))}
    </div>
  )
}
