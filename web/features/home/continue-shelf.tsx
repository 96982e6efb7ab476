// Lists that the member recently played. A click continues at the last position; the title links to the list.
import { IconHeartFilled, IconPlayerPlayFilled, IconRadio } from '#web/base/ui/icons/icons.ts'
import type { ContinueItem } from '#contract/home.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { Shelf } from '../../base/ui/lists/shelf.tsx'
import { VisuallyHidden } from '../../base/ui/layout/visually-hidden.tsx'
import { artistPath } from '../catalogue/artist-links.tsx'
import { PlaylistCover } from '../catalogue/playlist-cover.tsx'
import styles from './continue-shelf.module.css'
import { resume } from './resume.ts'

export function ContinueShelf({ items }: { items: readonly ContinueItem[] }) {
  return (
    <Shelf title="Continue listening" size="quarter">
      {items.map((item) => (
        <li key={JSON.stringify(item.context)} className={styles.tile}>
          <ContinueTile item={item} />
        </li>
      ))}
    </Shelf>
  )
}

function ContinueTile({ item }: { item: ContinueItem }) {
  const { title, about, track } = item
  const path = getListPath(item)
  return (
    <>
      <button type="button" className={styles.resume} onClick={() => void resume(item)}>
        <VisuallyHidden>{path ? `Continue ${title} ` : 'Continue '}</VisuallyHidden>
        <span className={styles.cover}>
          <ItemCover item={item} />
          <span className={styles.play} aria-hidden="true">
            <IconPlayerPlayFilled />
          </span>
        </span>
        <span className={styles.words}>
          {/* If the list has a page, its title is a link in front of the button, so this line is empty. */}
          <span className={styles.title}>{path ? '\u00a0' : title}</span>
          <span className={styles.about}>{about}</span>
          <VisuallyHidden>{` with ${track.title}`}</VisuallyHidden>
        </span>
      </button>
      {path && (
        <ScreenLink to={path} className={styles.link ?? ''}>
          {title}
        </ScreenLink>
      )}
    </>
  )
}

function ItemCover({ item }: { item: ContinueItem }) {
  const { kind } = item.context
  if (kind === 'likes' || kind === 'radio') {
    return (
      <span className={styles.drawn} data-kind={kind}>
        {kind === 'likes' ? <IconHeartFilled /> : <IconRadio />}
      </span>
    )
  }
  return <PlaylistCover playlist={item} sizes="56px" />
}

function getListPath({ context, slug }: ContinueItem): string | null {
  switch (context.kind) {
    case 'playlist':
      return `/my-playlists/${context.id}`
    case 'release':
      return slug && `/releases/${slug}`
    case 'artist':
      return slug && artistPath(slug)
    case 'likes':
      return '/browse?view=liked'
    case 'radio':
      return null
  }
}
