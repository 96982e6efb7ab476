// The head of an artist's page: round picture, name, facts, Play and Shuffle, on a background with the picture's tint.
import { IconExternalLink } from '#web/base/ui/icons/icons.ts'
import type { CSSProperties, ReactNode } from 'react'
import type { ArtistDetail } from '#contract/artists.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { ShareButton } from '../catalogue/share-button.tsx'
import { Cover } from '../../base/ui/display/cover.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import styles from './artist-head.module.css'

export function ArtistHead({ artist, children }: { artist: ArtistDetail; children: ReactNode }) {
  const { name, track_count, links, cover_url, cover_tint, cover_placeholder } = artist
  return (
    <header
      className={styles.head}
      style={cover_tint ? ({ '--cover-tint': cover_tint } as CSSProperties) : undefined}
    >
      <div className={styles.picture}>
        <Cover
          url={cover_url}
          tint={cover_tint}
          placeholder={cover_placeholder}
          title={name}
          sizes="(max-width: 48rem) 55vw, 240px"
          radius="none"
          eager
        />
      </div>
      <div className={styles.words}>
        <p className={styles.kind}>Artist</p>
        <h1 className={styles.name}>{name}</h1>
        <p className={styles.facts}>{formatCount(track_count, 'track', 'tracks')}</p>
        <div className={styles.buttons}>
          {children}
          {/* Absent from servers of the previous version. */}
          <ShareButton title={name} path={artist.share_url ?? `/artists/${artist.slug}`} />
          {links.length > 0 && (
            <ul className={styles.links} aria-label="Links">
              {links.map(({ label, url }) => (
                <li key={`${label} ${url}`}>
                  <a href={url} target="_blank" rel="noopener noreferrer" className={styles.link}>
                    {label}
                    <IconExternalLink aria-hidden="true" />
                  </a>
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
    </header>
  )
}

export function ArtistHeadSkeleton() {
  return (
    <div className={styles.head} aria-hidden="true">
      <div className={styles.picture}>
        <Skeleton shape="cover" />
      </div>
      <div className={styles.words}>
        <Skeleton width="4rem" shape="text" />
        <Skeleton width="min(22rem, 80%)" height="3.5rem" />
        <Skeleton width="6rem" shape="text" />
        <div className={styles.buttons}>
          <Skeleton width="8rem" height="2.75rem" />
          <Skeleton width="8rem" height="2.75rem" />
        </div>
      </div>
    </div>
  )
}
