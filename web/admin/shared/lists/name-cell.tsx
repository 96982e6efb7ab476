// First cell of a row for a track, release or artist: cover, title and state. In compact tables it is one line.
import type { ReactNode } from 'react'
import styles from './name-cell.module.css'

export interface NameCellProps {
  cover: ReactNode
  title: ReactNode
  /** Rendered beside the title. */
  badges?: ReactNode
  /** Rendered below the title, or after it in compact tables. */
  note?: ReactNode
  /** What hidden columns would show. Rendered in narrow windows. */
  narrowNote: string
  /** Rendered last, such as the progress or error of a track. */
  children?: ReactNode
}

export function NameCell({ cover, title, badges, note, narrowNote, children }: NameCellProps) {
  return (
    <th scope="row" className={styles.cell}>
      <div className={styles.name}>
        <span className={styles.cover}>{cover}</span>
        <div className={styles.words}>
          <span className={styles.title}>
            <span className={styles.titleText} dir="auto">
              {title}
            </span>
            {badges}
          </span>
          {note && (
            <span className={styles.note} data-wide dir="auto">
              {note}
            </span>
          )}
          <span className={styles.note} data-narrow>
            {narrowNote}
          </span>
          {children}
        </div>
      </div>
    </th>
  )
}
