// Shows why playback stopped and offers a retry.
import { Button } from '../../../base/ui/controls/button.tsx'
import { play } from '../playback/player-actions.ts'
import styles from './player-problem.module.css'
import { usePlayer } from '../playback/player-store.ts'
import { PlayingElsewhere } from './playing-elsewhere.tsx'

export function PlayerProblem() {
  const problem = usePlayer((state) => state.problem)
  if (!problem) return null
  if (problem.kind === 'elsewhere')
    return <PlayingElsewhere where={problem.where} cap={problem.cap} />
  return (
    <div className={styles.problem} role="alert">
      <p>{problem.message}</p>
      {problem.kind === 'stopped' && (
        <Button size="small" variant="quiet" onClick={play}>
          Try again
        </Button>
      )}
    </div>
  )
}
