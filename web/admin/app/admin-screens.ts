// Dynamic imports of the back-office screens. Each key is the screen's path after /admin/.
import type { ComponentType } from 'react'
import type { AdminScreenPath } from '#contract/screens.ts'

export const adminScreens = {
  layout: async () => (await import('./admin-layout.tsx')).AdminLayout,
  overview: async () => (await import('../overview/overview-screen.tsx')).OverviewScreen,
  library: async () => (await import('../tracks/library-screen.tsx')).LibraryScreen,
  insights: async () => (await import('../insights/insights-screen.tsx')).InsightsScreen,
  'library/upload': async () => (await import('../uploads/uploads-screen.tsx')).UploadsScreen,
  'library/import': async () => (await import('../imports/imports-screen.tsx')).ImportsScreen,
  tracks: async () => (await import('../tracks/tracks-screen.tsx')).TracksScreen,
  categories: async () => (await import('../categories/categories-screen.tsx')).CategoriesScreen,
  'categories/:category': async () =>
    (await import('../categories/category-screen.tsx')).CategoryScreen,
  playlists: async () =>
    (await import('../playlists/admin-playlists-screen.tsx')).AdminPlaylistsScreen,
  'playlists/:id': async () =>
    (await import('../playlists/admin-playlist-screen.tsx')).AdminPlaylistScreen,
  releases: async () => (await import('../releases/releases-screen.tsx')).ReleasesScreen,
  'releases/:id': async () => (await import('../releases/release-screen.tsx')).ReleaseScreen,
  artists: async () => (await import('../artists/artists-screen.tsx')).ArtistsScreen,
  genres: async () => (await import('../genres/genres-screen.tsx')).GenresScreen,
  reviews: async () => (await import('../reviews/reviews-screen.tsx')).ReviewsScreen,
  figures: async () => (await import('../own-figures/own-figures-screen.tsx')).OwnFiguresScreen,
  users: async () => (await import('../users/users-screen.tsx')).UsersScreen,
  'users/:id': async () => (await import('../person/person-screen.tsx')).PersonScreen,
  billing: async () => (await import('../billing/billing-screen.tsx')).BillingScreen,
  'billing/codes': async () =>
    (await import('../promotions/promotions-screen.tsx')).PromotionsScreen,
  'billing/referrals': async () =>
    (await import('../referrals/referrals-screen.tsx')).ReferralsScreen,
  'billing/gifts': async () => (await import('../gifts/gifts-screen.tsx')).GiftsScreen,
  royalties: async () => (await import('../royalties/royalties-screen.tsx')).RoyaltiesScreen,
  settings: async () => (await import('../settings/settings-screen.tsx')).SettingsScreen,
  announcements: async () =>
    (await import('../announcements/announcements-screen.tsx')).AnnouncementsScreen,
  support: async () => (await import('../support/support-screen.tsx')).SupportScreen,
  spots: async () => (await import('../spots/spots-screen.tsx')).SpotsScreen,
  webhooks: async () => (await import('../webhooks/webhooks-screen.tsx')).WebhooksScreen,
  audit: async () => (await import('../audit/audit-screen.tsx')).AuditScreen,
  system: async () => (await import('../system/system-screen.tsx')).SystemScreen,
} satisfies Record<AdminScreenPath | 'layout' | 'overview', () => Promise<ComponentType>>
