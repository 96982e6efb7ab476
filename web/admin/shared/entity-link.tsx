// The name of an entity, as a link to its back-office screen if the entity still exists.
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import styles from './person-link.module.css'

export interface EntityLinkProps {
  /** The kind of entity, as in the audit log: 'track', 'playlist', … */
  entity: string
  /** The id, or the slug of a category. Null if the entity has no screen or was deleted. */
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
    case 'release':
      return `/admin/releases/${key}`
    case 'category':
      return `/admin/categories/${key}`
    case 'artist':
      return `/admin/artists?edit=${key}`
    case 'genre':
      return '/admin/genres'
    case 'user':
    case 'subscription':
      return `/admin/users/${key}`
    case 'gift':
      return '/admin/billing/gifts'
    case 'referral':
      return '/admin/billing/referrals'
    case 'support':
      return `/admin/support?message=${key}`
    case 'spot':
      return '/admin/spots'
    case 'settings':
      return '/admin/settings'
    default:
      return null
  }
}
