// Picture, title, text and link of a spot, labeled as a message from the service.
import { useSite } from '../../../base/session/site.ts'
import { buttonClass } from '../../../base/ui/controls/button-class.ts'
import { Cover } from '../../../base/ui/display/cover.tsx'
import type { ActiveSpot } from '../playback/player-store.ts'
import { sendSpotEvent } from './follow-spots.ts'
import { spotLinkLabel } from './spot-link-label.ts'
import styles from './spots.module.css'

export interface SpotContentProps {
  active: ActiveSpot
  /** Use `large` in the full player. */
  size?: 'medium' | 'large'
}

export function SpotContent({ active, size = 'medium' }: SpotContentProps) {
  const { spot } = active
  const { brand_name } = useSite()
  return (
    <div className={styles.content} data-size={size}>
      <span className={styles.picture}>
        <Cover
          key={spot.cover_url}
          url={spot.cover_url}
          tint={spot.cover_tint}
          placeholder={spot.cover_placeholder}
          title={spot.title}
          sizes={size === 'large' ? '320px' : '56px'}
          eager
        />
      </span>
      <div className={styles.words}>
        <p className={styles.label}>Message from {brand_name}</p>
        <p className={styles.title}>{spot.title}</p>
        {spot.text && <p className={styles.text}>{spot.text}</p>}
      </div>
      <SpotLink active={active} />
    </div>
  )
}

export function SpotLink({ active }: { active: ActiveSpot }) {
  const { spot } = active
  if (spot.link_url === null) return null
  return (
    <a
      className={buttonClass({ size: 'small' })}
      href={spot.link_url}
      target="_blank"
      rel="noopener noreferrer"
      onClick={() => void sendSpotEvent(active, 'clicked')}
    >
      {spotLinkLabel(spot)}
    </a>
  )
}
