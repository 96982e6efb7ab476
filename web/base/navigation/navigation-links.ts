// The navigation's links for signed-in users.
import { grantsAccess } from '#contract/access.ts'

export interface NavigationLink {
  to: string
  label: string
}

export function navigationLinks(role: string): NavigationLink[] {
  const links = [
    { to: '/browse', label: 'Browse' },
    { to: '/my-playlists', label: 'My Playlists' },
    { to: '/subscribe', label: 'Subscribe' },
  ]
  const office = officeLink(role)
  return office ? [...links, office] : links
}

/** Returns the first back-office screen for this role; null if the role has none. */
export function officeLink(role: string): NavigationLink | null {
  if (grantsAccess(role, 'admin')) return { to: '/admin/library', label: 'Admin' }
  if (grantsAccess(role, 'editor')) return { to: '/admin/library', label: 'Catalogue' }
  return grantsAccess(role, 'creator') ? { to: '/admin/tracks', label: 'My Tracks' } : null
}
