// The text of the hero. Also shown in the back office's preview.
import type { ReactNode } from 'react'
import styles from './hero.module.css'

export interface HeroWordsProps {
  tagline: string
  lead: string
  /** True in the back office's preview, in which the text is not the page's heading. */
  isPreview?: boolean
  /** The buttons. */
  children: ReactNode
}

export function HeroText({ tagline, lead, isPreview = false, children }: HeroWordsProps) {
  const Heading = isPreview ? 'p' : 'h1'
  return (
    <div className={styles.words}>
      <Heading className={styles.tagline}>{tagline}</Heading>
      <div>
        <p className={styles.lead}>{lead}</p>
        <div className={styles.actions}>{children}</div>
      </div>
    </div>
  )
}
