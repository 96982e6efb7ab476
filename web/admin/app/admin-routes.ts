// The screens of the back office, for the table of routes.
import type { RouteObject } from 'react-router'
import type { StaffAccess } from '#contract/access.ts'
import type { AdminScreenPath } from '#contract/screens.ts'
import { screen } from '../../base/navigation/screen.ts'

export function adminRoutes(): RouteObject {
  return screen({
    path: '/admin',
    title: 'Admin',
    access: 'creator',
    hasSiteHeader: false,
    load: async () => (await import('./admin-layout.tsx')).AdminLayout,
    children: [
      overview(),
      adminScreen('library', 'Track Library', 'editor', async () => {
        return (await import('../tracks/library-screen.tsx')).LibraryScreen
      }),
      adminScreen('insights', 'Insights', 'admin', async () => {
        return (await import('../insights/insights-screen.tsx')).InsightsScreen
      }),
      adminScreen('library/upload', 'Upload many', 'creator', async () => {
        return (await import('../uploads/uploads-screen.tsx')).UploadsScreen
      }),
      adminScreen('library/import', 'Import and export', 'editor', async () => {
        return (await import('../imports/imports-screen.tsx')).ImportsScreen
      }),
      adminScreen('tracks', 'Tracks', 'creator', async () => {
        return (await import('../tracks/tracks-screen.tsx')).TracksScreen
      }),
      adminScreen('categories', 'Category Management', 'editor', async () => {
        return (await import('../categories/categories-screen.tsx')).CategoriesScreen
      }),
      adminScreen('categories/:category', 'Category', 'editor', async () => {
        return (await import('../categories/category-screen.tsx')).CategoryScreen
      }),
      adminScreen('playlists', 'Playlist Management', 'editor', async () => {
        return (await import('../playlists/admin-playlists-screen.tsx')).AdminPlaylistsScreen
      }),
      adminScreen('playlists/:id', 'Edit Playlist', 'editor', async () => {
        return (await import('../playlists/admin-playlist-screen.tsx')).AdminPlaylistScreen
      }),
      adminScreen('releases', 'Releases', 'creator', async () => {
        return (await import('../releases/releases-screen.tsx')).ReleasesScreen
      }),
      adminScreen('releases/:id', 'Edit Release', 'creator', async () => {
        return (await import('../releases/release-screen.tsx')).ReleaseScreen
      }),
      adminScreen('artists', 'Artist Management', 'editor', async () => {
        return (await import('../artists/artists-screen.tsx')).ArtistsScreen
      }),
      adminScreen('genres', 'Genre Management', 'editor', async () => {
        return (await import('../genres/genres-screen.tsx')).GenresScreen
      }),
      adminScreen('reviews', 'Reviews', 'creator', async () => {
        return (await import('../reviews/reviews-screen.tsx')).ReviewsScreen
      }),
      adminScreen('figures', 'Figures', 'creator', async () => {
        return (await import('../own-figures/own-figures-screen.tsx')).OwnFiguresScreen
      }),
      ...businessScreens(),
    ],
  })
}

/** People, money and the service itself. */
function businessScreens(): RouteObject[] {
  return [
    adminScreen('users', 'User Management', 'admin', async () => {
      return (await import('../users/users-screen.tsx')).UsersScreen
    }),
    adminScreen('users/:id', 'Member', 'admin', async () => {
      return (await import('../person/person-screen.tsx')).PersonScreen
    }),
    adminScreen('billing', 'Billing & Subscriptions', 'admin', async () => {
      return (await import('../billing/billing-screen.tsx')).BillingScreen
    }),
    adminScreen('billing/codes', 'Promotion Codes', 'admin', async () => {
      return (await import('../promotions/promotions-screen.tsx')).PromotionsScreen
    }),
    adminScreen('billing/referrals', 'Referrals', 'admin', async () => {
      return (await import('../referrals/referrals-screen.tsx')).ReferralsScreen
    }),
    adminScreen('billing/gifts', 'Gifts', 'admin', async () => {
      return (await import('../gifts/gifts-screen.tsx')).GiftsScreen
    }),
    adminScreen('royalties', 'Royalties', 'admin', async () => {
      return (await import('../royalties/royalties-screen.tsx')).RoyaltiesScreen
    }),
    adminScreen('settings', 'System Settings', 'admin', async () => {
      return (await import('../settings/settings-screen.tsx')).SettingsScreen
    }),
    adminScreen('announcements', 'Announcements', 'admin', async () => {
      return (await import('../announcements/announcements-screen.tsx')).AnnouncementsScreen
    }),
    adminScreen('support', 'Messages', 'admin', async () => {
      return (await import('../support/support-screen.tsx')).SupportScreen
    }),
    adminScreen('spots', 'Spots', 'admin', async () => {
      return (await import('../spots/spots-screen.tsx')).SpotsScreen
    }),
    adminScreen('webhooks', 'Webhooks', 'admin', async () => {
      return (await import('../webhooks/webhooks-screen.tsx')).WebhooksScreen
    }),
    adminScreen('audit', 'Audit Log', 'admin', async () => {
      return (await import('../audit/audit-screen.tsx')).AuditScreen
    }),
    adminScreen('system', 'System', 'admin', async () => {
      return (await import('../system/system-screen.tsx')).SystemScreen
    }),
  ]
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
  access: StaffAccess,
  load: Parameters<typeof screen>[0]['load'],
): RouteObject {
  return screen({ path, title, access, hasSiteHeader: false, load })
}
