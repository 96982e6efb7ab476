// The content of a tile in a shelf: picture, name and one line of text. The tile itself is the link or button around
// it.
import type { ReactNode } from 'react'
import { VisuallyHidden } from '../../base/ui/layout/visually-hidden.tsx'
import styles from './home-tile.module.css'

export interface TileContentProps {
  picture: ReactNode
  isRound?: boolean
  /** Text before the title for screen readers. */
  verb?: string
  title: string
  about?: ReactNode
}

export const tileClass = styles.tile ?? ''

export function TileContent({ picture, isRound, verb, title, about }: TileContentProps) {
  return (
    <>
      <span className={styles.picture} data-round={isRound || undefined}>
        {picture}
      </span>
      <span className={styles.words}>
        <span className={styles.title}>
          {verb && <VisuallyHidden>{`${verb} `}</VisuallyHidden>}
          {title}
        </span>
        {about && <span className={styles.about}>{about}</span>}
      </span>
    </>
  )
}
