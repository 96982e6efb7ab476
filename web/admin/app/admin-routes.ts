// The screens of the back office, for the table of routes.
import type { ComponentType } from 'react'
import type { RouteObject } from 'react-router'
import type { StaffAccess } from '#contract/access.ts'
import type { AdminScreenPath } from '#contract/screens.ts'
import { screen } from '../../base/navigation/screen.ts'
import type { adminScreens } from './admin-screens.ts'

export function adminRoutes(): RouteObject {
  return screen({
    path: '/admin',
    title: 'Admin',
    access: 'creator',
    hasSiteHeader: false,
    load: () => loadScreen('layout'),
    children: [
      overview(),
      adminScreen('library', 'Track Library', 'editor'),
      adminScreen('insights', 'Insights', 'admin'),
      adminScreen('library/upload', 'Upload many', 'creator'),
      adminScreen('library/import', 'Import and export', 'editor'),
      adminScreen('tracks', 'Tracks', 'creator'),
      adminScreen('categories', 'Category Management', 'editor'),
      adminScreen('categories/:category', 'Category', 'editor'),
      adminScreen('playlists', 'Playlist Management', 'editor'),
      adminScreen('playlists/:id', 'Edit Playlist', 'editor'),
      adminScreen('releases', 'Releases', 'creator'),
      adminScreen('releases/:id', 'Edit Release', 'creator'),
      adminScreen('artists', 'Artist Management', 'editor'),
      adminScreen('genres', 'Genre Management', 'editor'),
      adminScreen('reviews', 'Reviews', 'creator'),
      adminScreen('figures', 'Figures', 'creator'),
      ...businessScreens(),
    ],
  })
}

/** People, money and the service itself. */
function businessScreens(): RouteObject[] {
  return [
    adminScreen('users', 'User Management', 'admin'),
    adminScreen('users/:id', 'Member', 'admin'),
    adminScreen('billing', 'Billing & Subscriptions', 'admin'),
    adminScreen('billing/codes', 'Promotion Codes', 'admin'),
    adminScreen('billing/referrals', 'Referrals', 'admin'),
    adminScreen('billing/gifts', 'Gifts', 'admin'),
    adminScreen('royalties', 'Royalties', 'admin'),
    adminScreen('settings', 'System Settings', 'admin'),
    adminScreen('announcements', 'Announcements', 'admin'),
    adminScreen('support', 'Messages', 'admin'),
    adminScreen('spots', 'Spots', 'admin'),
    adminScreen('webhooks', 'Webhooks', 'admin'),
    adminScreen('audit', 'Audit Log', 'admin'),
    adminScreen('system', 'System', 'admin'),
  ]
}

/** The start page has the URL of the layout itself. */
function overview(): RouteObject {
  const { handle, ErrorBoundary, HydrateFallback, lazy } = screen({
    path: '/admin',
    title: 'Overview',
    access: 'admin',
    hasSiteHeader: false,
    load: () => loadScreen('overview'),
  })
  return { index: true, handle, ErrorBoundary, HydrateFallback, lazy }
}

function adminScreen(path: AdminScreenPath, title: string, access: StaffAccess): RouteObject {
  return screen({ path, title, access, hasSiteHeader: false, load: () => loadScreen(path) })
}

/** The imports are in a file of their own: the app would load a list of all files of the back office with them. */
async function loadScreen(name: keyof typeof adminScreens): Promise<ComponentType> {
  const { adminScreens } = await import('./admin-screens.ts')
  return adminScreens[name]()
}
