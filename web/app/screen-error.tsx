// What stands in place of a screen that broke. A chunk that is gone means that a newer version was
// installed meanwhile: loading the page anew is the cure, and the button does just that.
import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { ErrorState } from '../ui/error-state.tsx'
import styles from './screen-error.module.css'

export function ScreenError() {
  const error = useRouteError()
  useEffect(() => {
    console.error(error)
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
