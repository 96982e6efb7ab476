// The notice for members without Premium during and after a preview. The wording is specified.
import { useNavigate } from 'react-router'
import { ButtonLink } from '../../../base/navigation/screen-link.tsx'
import { restrictionNow, getRestrictionText } from '../../../base/format/format-restriction.ts'
import { Badge } from '../../../base/ui/display/badge.tsx'
import { Button } from '../../../base/ui/controls/button.tsx'
import { dismissPreviewEnded } from '../playback/player-actions.ts'
import {
  selectMode,
  selectTrack,
  selectPlaybackSource,
  usePlayer,
} from '../playback/player-store.ts'
import { closeFullPlayer } from '../playback/player-view.ts'
import styles from './preview-notice.module.css'
import layout from '../../../base/ui/layout/layout.module.css'

export function PreviewNotice() {
  const mode = usePlayer(selectMode)
  const isEnded = usePlayer((state) => state.isPreviewEnded)
  // Show only one Premium offer at a time: the notice about another tab or device contains one, too.
  const isElsewhere = usePlayer((state) => state.problem?.kind === 'elsewhere')
  if (mode !== 'preview' || isElsewhere) return null
  return isEnded ? <PreviewEnded /> : <PreviewBadge />
}

function PreviewBadge() {
  const seconds = usePlayer((state) => {
    const track = selectTrack(state)
    return track ? selectPlaybackSource(state, track).durationSeconds : 0
  })
  return (
    <div className={styles.badge}>
      <Badge tone="gold">Preview Mode ({seconds}s)</Badge>
      <Reason />
      <ButtonLink to="/subscribe" size="small" onClick={closeFullPlayer}>
        Upgrade to Premium
      </ButtonLink>
    </div>
  )
}

/** Shows why only Premium members hear this track in full. */
function Reason() {
  const track = usePlayer(selectTrack)
  const restriction = track && restrictionNow(track)
  return restriction && <span className={styles.reason}>{getRestrictionText(restriction)}</span>
}

function PreviewEnded() {
  const navigate = useNavigate()
  function upgrade() {
    dismissPreviewEnded()
    closeFullPlayer()
    void navigate('/subscribe')
  }
  return (
    <div className={styles.ended} role="alert">
      <p>Full playback available with Premium</p>
      <Reason />
      <div className={layout.row2}>
        <Button size="small" variant="primary" onClick={upgrade}>
          Upgrade Now
        </Button>
        <Button size="small" variant="quiet" onClick={dismissPreviewEnded}>
          Dismiss
        </Button>
      </div>
    </div>
  )
}
