// A placeholder for loading content. Give it the size of the real content, so that nothing shifts.
import type { CSSProperties } from 'react'
import styles from './skeleton.module.css'

export interface SkeletonProps {
  width?: CSSProperties['width']
  height?: CSSProperties['height']
  /** `text` is as tall as a line of the surrounding text; `cover` is square. */
  shape?: 'box' | 'text' | 'circle' | 'cover'
}

export function Skeleton({ width, height, shape = 'box' }: SkeletonProps) {
  return (
    <span
      className={`${styles.skeleton} ${styles[shape]}`}
      style={{ width, height }}
      aria-hidden="true"
    />
  )
}
