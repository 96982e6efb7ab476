// A user's picture, or their initial on a color derived from the name.
import { useState } from 'react'
import styles from './avatar.module.css'
import { seededRandom } from '../layout/seeded-random.ts'

export interface AvatarProps {
  url: string | null
  /** Display name or email address; determines the initial and the color. */
  name: string
  /** Edge length in pixels. */
  size?: number
}

export function Avatar({ url, name, size = 40 }: AvatarProps) {
  const [failedUrl, setFailedUrl] = useState<string>()
  const hue = Math.round(seededRandom(name)() * 360)
  return (
    <span
      className={styles.avatar}
      style={{
        width: size,
        height: size,
        fontSize: size * 0.42,
        backgroundColor: `oklch(0.42 0.09 ${hue})`,
      }}
      aria-hidden="true"
    >
      {url && url !== failedUrl ? (
        <img src={url} alt="" width={size} height={size} onError={() => setFailedUrl(url)} />
      ) : (
        name.trim().charAt(0).toUpperCase()
      )}
    </span>
  )
}
