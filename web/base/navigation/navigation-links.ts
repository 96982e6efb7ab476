// The navigation's links for signed-in users.

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
  return role === 'admin' ? [...links, { to: '/admin/library', label: 'Admin' }] : links
}
