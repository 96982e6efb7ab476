// Free and Premium compared, with the limits that the server enforces.
import { IconCheck, IconMinus } from '#web/base/ui/icons/icons.ts'
import type { ReactNode } from 'react'
import { freeLimits } from '#contract/plans.ts'
import { useSite } from '../../base/session/site.ts'
import { VisuallyHidden } from '../../base/ui/layout/visually-hidden.tsx'
import styles from './premium-comparison.module.css'

export function PremiumComparison() {
  const { preview_length_seconds } = useSite()
  return (
    <section className={styles.section} aria-labelledby="comparison-heading">
      <h2 id="comparison-heading" className={styles.heading}>
        What Premium changes
      </h2>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">
              <VisuallyHidden>Feature</VisuallyHidden>
            </th>
            <th scope="col">Free</th>
            <th scope="col">Premium</th>
          </tr>
        </thead>
        <tbody>
          <Line
            name="Playback"
            free={`Previews of ${preview_length_seconds} s`}
            premium="Full length"
          />
          <Line name="Sound" free="Standard quality" premium="High quality" />
          <Line name="Playlists" free={freeLimits.playlists} premium="Unlimited" />
          <Line
            name="Tracks per playlist"
            free={freeLimits.tracks_per_playlist}
            premium="Unlimited"
          />
          <Line name="Offline listening" free={<No />} premium={<Yes />} />
          <Line name="Ad-free" free={<No />} premium={<Yes />} />
        </tbody>
      </table>
    </section>
  )
}

function Line({ name, free, premium }: { name: string; free: ReactNode; premium: ReactNode }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{free}</td>
      <td>{premium}</td>
    </tr>
  )
}

function Yes() {
  return (
    <>
      <IconCheck aria-hidden="true" />
      <VisuallyHidden>Yes</VisuallyHidden>
    </>
  )
}

function No() {
  return (
    <>
      <IconMinus aria-hidden="true" />
      <VisuallyHidden>No</VisuallyHidden>
    </>
  )
}
