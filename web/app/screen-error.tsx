// What stands in place of a screen that broke. Code that is gone means that a newer version was installed long ago:
// loading the page anew is the cure, which is done once by itself and then by the button.
import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { ErrorState } from '../ui/error-state.tsx'
import { reloadForMissingCode } from './missing-code.ts'
import styles from './screen-error.module.css'

export function ScreenError() {
  const error = useRouteError()
  useEffect(() => {
    console.error(error)
    void reloadForMissingCode()
  }, [error])
  return (
    <div className={styles.screen}>
      <ErrorState
        title="This page could not be shown"
        message="Loading it again usually helps. Your music and playlists are safe."
        onRetry={() => location.reload()}
      />
    </div>
  )
}
