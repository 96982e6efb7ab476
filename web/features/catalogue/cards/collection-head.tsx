// The head of a playlist, a release or an artist: large cover, title, facts and buttons, on a background with the
// cover's tint.
import type { CSSProperties, ReactNode } from 'react'
import { Skeleton } from '../../../base/ui/display/skeleton.tsx'
import { breakpoints } from '../../../base/ui/theme/breakpoints.ts'
import { PremiumNote, type PremiumMarkProps } from '../premium-mark.tsx'
import styles from './collection-head.module.css'

/** The `sizes` attribute of the cover's image. */
export const headCoverSizes = `${breakpoints['--below-tablet']} 68vw, 256px`

export interface CollectionHeadProps {
  title: string
  /** 'Album', 'Curated', 'Artist': shown before the title. */
  kind: ReactNode
  cover: ReactNode
  /** Tint of the cover; null for a neutral background. */
  tint: string | null
  /** True if the cover is a round portrait. */
  isRound?: boolean
  description?: string | null
  /** Elements in one line, with dots between them. */
  facts: ReactNode
  /** A note on who can listen to restricted content. */
  restricted?: PremiumMarkProps['of']
  /** Play, shuffle and other buttons. */
  children?: ReactNode
}

export function CollectionHead(props: CollectionHeadProps) {
  const { title, kind, cover, tint, isRound, description, facts, restricted, children } = props
  return (
    <header
      className={styles.head}
      style={tint ? ({ '--cover-tint': tint } as CSSProperties) : undefined}
    >
      <div className={styles.cover} data-round={isRound || undefined}>
        {cover}
      </div>
      <div className={styles.words}>
        <p className={styles.kind}>{kind}</p>
        <h1
          className={styles.title}
          data-length={title.length > 80 ? 'very-long' : title.length > 28 ? 'long' : undefined}
        >
          {title}
        </h1>
        {description && <p className={styles.description}>{description}</p>}
        <p className={styles.facts}>{facts}</p>
        {restricted && <PremiumNote of={restricted} />}
        {children && <div className={styles.buttons}>{children}</div>}
      </div>
    </header>
  )
}

export function CollectionHeadSkeleton({ isRound }: Pick<CollectionHeadProps, 'isRound'>) {
  return (
    <div className={styles.head} aria-hidden="true">
      <div className={styles.cover} data-round={isRound || undefined}>
        <Skeleton shape="cover" />
      </div>
      <div className={styles.words}>
        <Skeleton width="5rem" shape="text" />
        <Skeleton width="min(24rem, 85%)" height="3.5rem" />
        <Skeleton width="12rem" shape="text" />
        <div className={styles.buttons}>
          <Skeleton width="8rem" height="2.75rem" />
          <Skeleton width="8rem" height="2.75rem" />
        </div>
      </div>
    </div>
  )
}
