// The route table: path, title, access and code of each screen.
import type { RouteObject } from 'react-router'
import { adminRoutes } from '../admin/app/admin-routes.ts'
import { landingRoute } from '../features/landing/landing-route.ts'
import { screen } from '../base/navigation/screen.ts'
import { inShell } from './shell-route.ts'

/** Returns a new table for each router, because a router modifies its routes. */
export function createRoutes(): RouteObject[] {
  return [
    inShell([
      landingRoute(),
      ...accountRoutes(),
      screen({
        path: '/browse',
        title: 'Browse',
        access: 'member',
        isList: true,
        load: async () => (await import('../features/browse/browse-page.tsx')).BrowsePage,
      }),
      screen({
        path: '/artists/:slug',
        title: 'Artist',
        access: 'member',
        load: async () => (await import('../features/artists/artist-page.tsx')).ArtistPage,
      }),
      screen({
        path: '/my-playlists',
        title: 'My Playlists',
        access: 'member',
        load: async () =>
          (await import('../features/playlists/my-playlists-page.tsx')).MyPlaylistsPage,
      }),
      screen({
        path: '/my-playlists/:id',
        title: 'Playlist',
        access: 'member',
        load: async () =>
          (await import('../features/playlists/playlist-detail-page.tsx')).PlaylistDetailPage,
      }),
      screen({
        path: '/playlist/:id',
        title: 'Edit Playlist',
        access: 'member',
        load: async () =>
          (await import('../features/playlists/edit-playlist-page.tsx')).EditPlaylistPage,
      }),
      screen({
        path: '/releases/:slug',
        title: 'Release',
        access: 'member',
        load: async () => (await import('../features/releases/release-page.tsx')).ReleasePage,
      }),
      ...sellingRoutes(),
      adminRoutes(),
      screen({
        path: '*',
        title: 'Page not found',
        access: 'anyone',
        isList: false,
        load: async () =>
          (await import('../features/not-found/not-found-screen.tsx')).NotFoundScreen,
      }),
    ]),
  ]
}

/** Routes for sign-in, setup, joining, and the user's own account. */
function accountRoutes(): RouteObject[] {
  return [
    screen({
      path: '/auth',
      title: 'Sign In',
      access: 'anyone',
      isList: false,
      load: async () => (await import('../features/auth/auth-screen.tsx')).AuthScreen,
    }),
    screen({
      path: '/setup',
      title: 'Set Up',
      access: 'anyone',
      isList: false,
      load: async () => (await import('../features/setup/setup-screen.tsx')).SetupScreen,
    }),
    screen({
      path: '/join/:code',
      title: 'Join',
      access: 'anyone',
      load: async () => (await import('../features/referral/join-page.tsx')).JoinPage,
    }),
    screen({
      path: '/profile',
      title: 'Account Settings',
      access: 'member',
      load: async () => (await import('../features/profile/profile-page.tsx')).ProfilePage,
    }),
  ]
}

/** Routes for buying Premium, for the user or as a gift. */
function sellingRoutes(): RouteObject[] {
  return [
    screen({
      path: '/subscribe',
      title: 'Subscribe',
      access: 'member',
      isList: false,
      load: async () => (await import('../features/subscribe/subscribe-page.tsx')).SubscribePage,
    }),
    screen({
      path: '/receipts/:number',
      title: 'Receipt',
      access: 'member',
      isList: false,
      load: async () => (await import('../features/receipts/receipt-page.tsx')).ReceiptPage,
    }),
    screen({
      path: '/gift',
      title: 'Gift',
      access: 'member',
      isList: false,
      load: async () => (await import('../features/gift/gift-page.tsx')).GiftPage,
    }),
  ]
}
