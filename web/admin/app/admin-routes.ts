// The screens of the back office, for the table of routes.
import type { RouteObject } from 'react-router'
import type { AdminScreenPath } from '#contract/screens.ts'
import { screen } from '../../base/navigation/screen.ts'

export function adminRoutes(): RouteObject {
  return screen({
    path: '/admin',
    title: 'Admin',
    access: 'admin',
    hasSiteHeader: false,
    load: async () => (await import('./admin-layout.tsx')).AdminLayout,
    children: [
      overview(),
      adminScreen('library', 'Track Library', async () => {
        return (await import('../tracks/library-screen.tsx')).LibraryScreen
      }),
      adminScreen('insights', 'Insights', async () => {
        return (await import('../insights/insights-screen.tsx')).InsightsScreen
      }),
      adminScreen('library/upload', 'Upload many', async () => {
        return (await import('../uploads/uploads-screen.tsx')).UploadsScreen
      }),
      adminScreen('library/import', 'Import and export', async () => {
        return (await import('../imports/imports-screen.tsx')).ImportsScreen
      }),
      adminScreen('tracks', 'Tracks', async () => {
        return (await import('../tracks/tracks-screen.tsx')).TracksScreen
      }),
      adminScreen('categories', 'Category Management', async () => {
        return (await import('../categories/categories-screen.tsx')).CategoriesScreen
      }),
      adminScreen('categories/:category', 'Category', async () => {
        return (await import('../categories/category-screen.tsx')).CategoryScreen
      }),
      adminScreen('playlists', 'Playlist Management', async () => {
        return (await import('../playlists/admin-playlists-screen.tsx')).AdminPlaylistsScreen
      }),
      adminScreen('playlists/:id', 'Edit Playlist', async () => {
        return (await import('../playlists/admin-playlist-screen.tsx')).AdminPlaylistScreen
      }),
      adminScreen('releases', 'Releases', async () => {
        return (await import('../releases/releases-screen.tsx')).ReleasesScreen
      }),
      adminScreen('releases/:id', 'Edit Release', async () => {
        return (await import('../releases/release-screen.tsx')).ReleaseScreen
      }),
      adminScreen('artists', 'Artist Management', async () => {
        return (await import('../artists/artists-screen.tsx')).ArtistsScreen
      }),
      adminScreen('genres', 'Genre Management', async () => {
        return (await import('../genres/genres-screen.tsx')).GenresScreen
      }),
      adminScreen('users', 'User Management', async () => {
        return (await import('../users/users-screen.tsx')).UsersScreen
      }),
      adminScreen('users/:id', 'Member', async () => {
        return (await import('../person/person-screen.tsx')).PersonScreen
      }),
      adminScreen('billing', 'Billing & Subscriptions', async () => {
        return (await import('../billing/billing-screen.tsx')).BillingScreen
      }),
      adminScreen('settings', 'System Settings', async () => {
        return (await import('../settings/settings-screen.tsx')).SettingsScreen
      }),
      adminScreen('support', 'Messages', async () => {
        return (await import('../support/support-screen.tsx')).SupportScreen
      }),
      adminScreen('spots', 'Spots', async () => {
        return (await import('../spots/spots-screen.tsx')).SpotsScreen
      }),
      adminScreen('webhooks', 'Webhooks', async () => {
        return (await import('../webhooks/webhooks-screen.tsx')).WebhooksScreen
      }),
      adminScreen('audit', 'Audit Log', async () => {
        return (await import('../audit/audit-screen.tsx')).AuditScreen
      }),
      adminScreen('system', 'System', async () => {
        return (await import('../system/system-screen.tsx')).SystemScreen
      }),
    ],
  })
}

/** The start page has the URL of the layout itself. */
function overview(): RouteObject {
  const { handle, ErrorBoundary, HydrateFallback, lazy } = screen({
    path: '/admin',
    title: 'Overview',
    access: 'admin',
    hasSiteHeader: false,
    load: async () => (await import('../overview/overview-screen.tsx')).OverviewScreen,
  })
  return { index: true, handle, ErrorBoundary, HydrateFallback, lazy }
}

function adminScreen(
  path: AdminScreenPath,
  title: string,
  load: Parameters<typeof screen>[0]['load'],
): RouteObject {
  return screen({ path, title, access: 'admin', hasSiteHeader: false, load })
}
