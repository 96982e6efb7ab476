// Says that another device of the account plays, what the plan allows, and offers to play here instead.
import type { PlayCap } from '#contract/playing.ts'
import { ButtonLink } from '../app/screen-link.tsx'
import { Button } from '../ui/button.tsx'
import { play } from './player-actions.ts'
import styles from './player-problem.module.css'
import { closeFullPlayer } from './player-view.ts'

export function PlayingElsewhere({ cap }: { cap: PlayCap | null }) {
  return (
    <div className={styles.problem} data-tone="calm" role="alert">
      <p className={styles.words}>
        <strong>Paused: your account is playing on another device.</strong>
        {cap && <span>{allowance(cap)}</span>}
      </p>
      <span className={styles.buttons}>
        <Button size="small" variant="primary" onClick={play}>
          Play here
        </Button>
        {cap?.premium_limit !== undefined && (
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
    ? `Your plan plays on ${devices}.`
    : `The free plan plays on ${devices}, Premium on ${premium_limit}.`
}
