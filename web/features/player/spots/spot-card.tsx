// A card shown above the player while the next song plays: the owner's message or the Premium offer.
import { IconX } from '#web/base/ui/icons/icons.ts'
import { ButtonLink } from '../../../base/navigation/screen-link.tsx'
import { IconButton } from '../../../base/ui/controls/icon-button.tsx'
import { dismissCard } from '../playback/player-actions.ts'
import { usePlayer, type ActiveSpot } from '../playback/player-store.ts'
import { closeFullPlayer } from '../playback/player-view.ts'
import { sendSpotEvent } from './follow-spots.ts'
import { SpotContent } from './spot-content.tsx'
import styles from './spots.module.css'

export function SpotCard() {
  const card = usePlayer((state) => state.card)
  if (!card) return null
  return (
    <div className={styles.card} role="status">
      {card.spot.kind === 'offer' ? <PremiumOffer active={card} /> : <SpotContent active={card} />}
      <IconButton size="small" label="Dismiss message" onClick={dismissCard}>
        <IconX />
      </IconButton>
    </div>
  )
}

function PremiumOffer({ active }: { active: ActiveSpot }) {
  const { title, text } = active.spot
  function choose() {
    void sendSpotEvent(active, 'clicked')
    dismissCard()
    closeFullPlayer()
  }
  return (
    <div className={styles.content}>
      <div className={styles.words}>
        <p className={styles.title}>{title}</p>
        <p className={styles.text}>{text}</p>
      </div>
      <ButtonLink to="/subscribe" size="small" onClick={choose}>
        Upgrade to Premium
      </ButtonLink>
    </div>
  )
}
