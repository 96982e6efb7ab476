// The back-office screens, for the route table.
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
      adminScreen('library/upload', 'Bulk upload', 'creator'),
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
      adminScreen('figures', 'Statistics', 'creator'),
      ...businessScreens(),
    ],
  })
}

/** The screens for users, billing and the system. */
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

/** An index route, because the overview has the same URL as the layout: /admin. */
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

/**
 * The dynamic imports are in their own file. Otherwise every visitor would load the list of all back-office chunks with
 * the main bundle.
 */
async function loadScreen(name: keyof typeof adminScreens): Promise<ComponentType> {
  const { adminScreens } = await import('./admin-screens.ts')
  return adminScreens[name]()
}
