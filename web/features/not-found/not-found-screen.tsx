// The 404 screen. Reports the URL to the server's log, so that the owner can find broken links.
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { recordNotFoundVisit } from '#contract/site.ts'
import { call } from '../../base/api/api.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import styles from './not-found-screen.module.css'

const longestPath = 500

export function NotFoundScreen() {
  const { pathname } = useLocation()

  useEffect(() => {
    call(recordNotFoundVisit, { body: { path: pathname.slice(0, longestPath) } }).catch(() => {
      // Ignore failures: only a log line is missing, and the visitor can't do anything about it.
    })
  }, [pathname])

  return (
    <div className={styles.screen}>
      <Record />
      <p className={styles.number}>404</p>
      <h1 className={styles.title}>Oops! Page not found</h1>
      <p className={styles.message}>
        There is no page at <span className={styles.path}>{pathname}</span>
      </p>
      <ButtonLink to="/" variant="primary" size="large">
        Return to Home
      </ButtonLink>
    </div>
  )
}

/** Draws a blank record that keeps turning. */
function Record() {
  return (
    <svg className={styles.record} viewBox="0 0 200 200" aria-hidden="true">
      <circle className={styles.disc} cx="100" cy="100" r="98" />
      {[88, 78, 69, 61, 54, 48].map((radius) => (
        <circle key={radius} className={styles.groove} cx="100" cy="100" r={radius} />
      ))}
      <path className={styles.glint} d="M100 14a86 86 0 0 1 61 25M100 186a86 86 0 0 1-61-25" />
      <circle className={styles.label} cx="100" cy="100" r="34" />
      <circle className={styles.hole} cx="100" cy="100" r="5" />
    </svg>
  )
}
