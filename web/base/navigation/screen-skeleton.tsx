// The placeholder of a screen that is loading.
import { Skeleton } from '../ui/display/skeleton.tsx'
import styles from './screen-skeleton.module.css'

export function ScreenSkeleton() {
  return (
    <div className={styles.screen} aria-busy="true">
      <Skeleton width="min(18rem, 60%)" height="2.75rem" />
      <Skeleton width="min(28rem, 80%)" shape="text" />
      <div className={styles.rows}>
        {Array.from({ length: 6 }, (_, index) => (
          <Skeleton key={index} height="3.5rem" />
        ))}
      </div>
    </div>
  )
}
