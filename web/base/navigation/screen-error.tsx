// The error boundary of screens. Missing code usually means that a newer version was deployed, so the page reloads once
// automatically and then offers a button. Code that failed to load while offline is loaded again when the connection
// returns.
import { useEffect, useState } from 'react'
import { useRouteError } from 'react-router'
import { ErrorState } from '../ui/display/error-state.tsx'
import { useConnection, type Connection } from '../api/connection.ts'
import { reloadForMissingCode } from './missing-code.ts'
import styles from './screen-error.module.css'

const titles: Record<Connection, string> = {
  online: 'This page could not be shown',
  offline: 'You are offline',
  unreachable: 'The server cannot be reached',
}

export function ScreenError() {
  const error = useRouteError()
  const connection = useConnection((state) => state.connection)
  const isAway = connection !== 'online'
  const [wasAway, setWasAway] = useState(isAway)
  if (isAway && !wasAway) setWasAway(true)
  useEffect(() => {
    console.error(error)
    void reloadForMissingCode()
  }, [error])
  useEffect(() => {
    if (wasAway && !isAway) location.reload()
  }, [wasAway, isAway])
  return (
    <div className={styles.screen}>
      <ErrorState
        title={titles[connection]}
        message={
          isAway
            ? 'This page reopens automatically when the connection is back.'
            : 'Reloading usually helps. Saved changes are not lost.'
        }
        onRetry={() => location.reload()}
      />
    </div>
  )
}
