// The artist line of a track. Each artist links to their page.
import { Fragment } from 'react'
import { Link } from 'react-router'
import { getDefaultJoiner, lineRoles, type CreditRole } from '#contract/fields/artist-credits.ts'
import { closeFullPlayer } from '../player/playback/player-view.ts'
import type { PlayerTrack } from '../player/queue/player-track.ts'
import styles from './artist-links.module.css'

export interface ArtistLinksProps {
  track: Pick<PlayerTrack, 'artist' | 'artists'>
  /** Set in a row of a list: whether the row's controls are in the tab order. */
  inTabOrder?: boolean
}

export function ArtistLinks({ track, inTabOrder }: ArtistLinksProps) {
  const artists = getLineArtists(track)
  // Tracks from an older server, an older download or an older saved queue have no `artists`.
  if (artists.length === 0) return track.artist
  const isInRow = inTabOrder !== undefined
  return artists.map(({ id, slug, name, role, credited_as, joiner }, index) => (
    <Fragment key={`${id} ${index}`}>
      <Link
        to={artistPath(slug)}
        className={isInRow ? `${styles.link} ${styles.inRow}` : styles.link}
        // Close the full-window player: it would cover the new screen.
        onClick={closeFullPlayer}
        {...(isInRow && { tabIndex: inTabOrder ? 0 : -1, 'data-control': `artist-${index}` })}
      >
        {credited_as ?? name}
      </Link>
      {joinerAfter(role, joiner, artists[index + 1]?.role)}
    </Fragment>
  ))
}

function joinerAfter(role: CreditRole, joiner: string, next: CreditRole | undefined): string {
  return next ? joiner || getDefaultJoiner(role, next) : ''
}

export function getLineArtists({ artists = [] }: Pick<PlayerTrack, 'artists'>) {
  return artists.filter(({ role }) => lineRoles.includes(role))
}

export function artistPath(slug: string): string {
  return `/artists/${slug}`
}
