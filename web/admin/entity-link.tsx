// A thing of the back office by name, linked to where it is edited as long as it exists.
import { ScreenLink } from '../app/screen-link.tsx'
import styles from './person-link.module.css'

export interface EntityLinkProps {
  /** As the audit log names kinds: 'track', 'playlist', … */
  entity: string
  /** The id, or the slug of a category. Null: it has no page, or is gone. */
  entityKey: string | null
  name: string
}

export function EntityLink({ entity, entityKey, name }: EntityLinkProps) {
  const path = entityKey === null ? null : entityPath(entity, entityKey)
  if (path === null) return <span dir="auto">{name}</span>
  return (
    <ScreenLink to={path} className={styles.link} dir="auto">
      {name}
    </ScreenLink>
  )
}

export function trackPath(id: string): string {
  return `/admin/library?edit=${id}`
}

function entityPath(entity: string, key: string): string | null {
  switch (entity) {
    case 'track':
      return trackPath(key)
    case 'playlist':
      return `/admin/playlists/${key}`
    case 'category':
      return `/admin/categories/${key}`
    case 'genre':
      return '/admin/genres'
    case 'user':
    case 'subscription':
      return `/admin/users/${key}`
    case 'settings':
      return '/admin/settings'
    default:
      return null
  }
}
