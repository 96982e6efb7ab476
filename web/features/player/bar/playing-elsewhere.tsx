// Shows that another tab or device is playing and how many devices the plan allows. Offers to play here instead.
import type { PlayCap } from '#contract/playing.ts'
import { ButtonLink } from '../../../base/navigation/screen-link.tsx'
import { Button } from '../../../base/ui/controls/button.tsx'
import { play } from '../playback/player-actions.ts'
import styles from './player-problem.module.css'
import { closeFullPlayer } from '../playback/player-view.ts'

interface PlayingElsewhereProps {
  where: 'tab' | 'device'
  cap: PlayCap | null
}

export function PlayingElsewhere({ where, cap }: PlayingElsewhereProps) {
  // No plan allows playback in several tabs of one browser.
  const plan = where === 'device' ? cap : null
  return (
    <div className={styles.problem} data-tone="calm" role="alert">
      <p className={styles.words}>
        <strong>
          {where === 'tab'
            ? 'Paused: music is playing in another tab of this browser.'
            : 'Paused: your account is playing on another device.'}
        </strong>
        {plan && <span>{allowance(plan)}</span>}
      </p>
      <span className={styles.buttons}>
        <Button size="small" variant="primary" onClick={play}>
          Play here
        </Button>
        {plan?.premium_limit !== undefined && (
          <ButtonLink to="/subscribe" size="small" variant="quiet" onClick={closeFullPlayer}>
            Upgrade
          </ButtonLink>
        )}
      </span>
    </div>
  )
}

function allowance({ limit, premium_limit }: PlayCap): string {
  const devices = `${limit} ${limit === 1 ? 'device' : 'devices'} at a time`
  return premium_limit === undefined
    ? `Your plan allows playback on ${devices}.`
    : `The Free plan allows playback on ${devices}, Premium on ${premium_limit}.`
}
