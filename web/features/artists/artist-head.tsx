// The head of an artist's page, with a round picture, name, facts, buttons and links.
import { IconExternalLink } from '#web/base/ui/icons/icons.ts'
import type { ReactNode } from 'react'
import type { ArtistDetail } from '#contract/artists.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { ShareButton } from '../catalogue/sharing/share-button.tsx'
import { Cover } from '../../base/ui/display/cover.tsx'
import { CollectionHead, headCoverSizes } from '../catalogue/cards/collection-head.tsx'
import { FollowButton } from './follow-button.tsx'
import styles from './artist-head.module.css'

export function ArtistHead({ artist, children }: { artist: ArtistDetail; children: ReactNode }) {
  const { name, track_count, links, cover_url, cover_tint, cover_placeholder } = artist
  return (
    <CollectionHead
      title={name}
      kind="Artist"
      tint={cover_tint}
      isRound
      cover={
        <Cover
          url={cover_url}
          tint={cover_tint}
          placeholder={cover_placeholder}
          title={name}
          sizes={headCoverSizes}
          radius="none"
          eager
        />
      }
      facts={<span>{formatCount(track_count, 'track', 'tracks')}</span>}
    >
      {children}
      <FollowButton artist={artist} />
      {/* `share_url` is absent in responses of the previous release. */}
      <ShareButton title={artist.name} path={artist.share_url ?? `/artists/${artist.slug}`} />
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
    </CollectionHead>
  )
}
