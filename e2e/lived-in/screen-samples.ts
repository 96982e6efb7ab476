// URLs to visit for each route of the app. A test fails if a route has no sample.
import { isStaffAccess } from '#contract/access.ts'
import { memberJoinCode, memberReceipt } from './insert-business.ts'
import { fullArtistSlug } from './insert-catalogue.ts'
import type { LivedInWorld } from './lived-in-world.ts'
import type { ScreenRoute } from './screen-routes.ts'

export type Visitor = 'stranger' | 'member' | 'admin'

interface Sample {
  addresses: (world: LivedInWorld, as: 'member' | 'admin') => string[]
  /** The visitors who see the screen. By default everyone with access. */
  seenBy?: Visitor[]
}

const sample = (...addresses: string[]): Sample => ({ addresses: () => addresses })

export const samplesByRoute: Record<string, Sample> = {
  '/': sample('/'),
  '/auth': {
    ...sample('/auth', '/auth?token=from-a-mail', '/auth#invitation=the-invitation-of-guest-1'),
    seenBy: ['stranger'],
  },
  // The service already has an owner, so this page only contains a link to sign-in.
  '/setup': { ...sample('/setup'), seenBy: ['stranger'] },
  '/browse': {
    addresses: ({ audibleTrackIds }) => [
      '/browse',
      '/browse?view=liked',
      '/browse?view=artists',
      '/browse?view=playlists',
      '/browse?view=releases',
      '/browse?category=mood-1',
      '/browse?q=nothing-has-this-name',
      `/browse?track=${audibleTrackIds[1]}`,
    ],
  },
  '/artists/:slug': sample(`/artists/${fullArtistSlug}`, '/artists/artist-2'),
  '/my-playlists': {
    addresses: ({ playlistIds, smartPlaylistId }, as) => [
      '/my-playlists',
      `/my-playlists?playlist=${playlistIds[as][0]}`,
      `/my-playlists?playlist=${playlistIds[as][1]}`,
      `/my-playlists?playlist=${smartPlaylistId}`,
      // A playlist that the other of the two, member or admin, shares with this visitor.
      `/my-playlists?playlist=${playlistIds[as === 'member' ? 'admin' : 'member'][as === 'member' ? 6 : 7]}`,
    ],
  },
  '/my-playlists/:id': {
    addresses: ({ playlistIds, curatedPlaylistIds }, as) => [
      `/my-playlists/${playlistIds[as][1]}`,
      `/my-playlists/${curatedPlaylistIds[2]}`,
    ],
  },
  '/playlist/:id': {
    addresses: ({ playlistIds }, as) => [
      `/playlist/${playlistIds[as][0]}`,
      `/playlist/${playlistIds[as][6]}`,
    ],
  },
  '/releases/:slug': {
    addresses: ({ releaseSlugs }) => releaseSlugs.map((slug) => `/releases/${slug}`),
  },
  '/subscribe': sample('/subscribe', '/subscribe?code=NONE'),
  '/receipts/:number': sample(`/receipts/${memberReceipt}`),
  '/gift': sample('/gift', '/gift?code=NONE'),
  '/join/:code': sample(`/join/${memberJoinCode}`),
  '/profile': sample('/profile'),
  '/admin': sample('/admin'),
  '/admin/library': sample('/admin/library'),
  '/admin/insights': sample('/admin/insights'),
  '/admin/library/upload': sample('/admin/library/upload'),
  '/admin/library/import': sample('/admin/library/import'),
  '/admin/tracks': sample('/admin/tracks'),
  '/admin/categories': sample('/admin/categories'),
  '/admin/categories/:category': sample('/admin/categories/mood-1'),
  '/admin/playlists': sample('/admin/playlists'),
  '/admin/playlists/:id': {
    addresses: ({ curatedPlaylistIds }) => [`/admin/playlists/${curatedPlaylistIds[2]}`],
  },
  '/admin/releases': sample('/admin/releases'),
  '/admin/releases/:id': {
    addresses: ({ releaseIds }) => releaseIds.map((id) => `/admin/releases/${id}`),
  },
  '/admin/artists': sample('/admin/artists', '/admin/artists?q=artist&sort=track_count'),
  '/admin/genres': sample('/admin/genres'),
  '/admin/reviews': sample('/admin/reviews', '/admin/reviews?state=published'),
  '/admin/figures': sample('/admin/figures'),
  '/admin/users': sample('/admin/users'),
  '/admin/users/:id': {
    addresses: ({ member }) => [`/admin/users/${member.id}`],
  },
  '/admin/billing': sample('/admin/billing'),
  '/admin/royalties': sample('/admin/royalties', '/admin/royalties?month=2026-11'),
  '/admin/billing/gifts': sample('/admin/billing/gifts'),
  '/admin/billing/referrals': sample('/admin/billing/referrals'),
  '/admin/billing/codes': sample('/admin/billing/codes'),
  '/admin/settings': sample(
    '/admin/settings',
    '/admin/settings?tab=stripe',
    '/admin/settings?tab=appearance',
    '/admin/settings?tab=legal',
    '/admin/settings?tab=mail',
    '/admin/settings?tab=features',
  ),
  '/admin/announcements': sample('/admin/announcements'),
  '/admin/support': sample('/admin/support'),
  '/admin/spots': sample('/admin/spots'),
  '/admin/webhooks': sample('/admin/webhooks'),
  '/admin/audit': sample('/admin/audit'),
  '/admin/system': sample('/admin/system'),
  '*': sample('/no/such/page'),
}

/** Pages that the server renders for everyone: pages of music, embeds, and the page for an unknown URL. */
export const documentSamples: Record<string, (world: LivedInWorld) => string[]> = {
  pages: ({ publicPaths }) => publicPaths,
  embeds: ({ publicPaths }) => publicPaths.map((path) => `/embed${path}`),
  'a missing page': () => ['/t/never-was', '/t/never-was?press=expired'],
}

const visitorsByAccess: Record<ScreenRoute['access'], Visitor[]> = {
  anyone: ['stranger', 'member'],
  member: ['member', 'admin'],
  creator: ['admin'],
  editor: ['admin'],
  admin: ['admin'],
}

export interface Visit {
  /** Path pattern of the route. */
  path: string
  visitor: Visitor
  addresses: (world: LivedInWorld) => string[]
}

export function planVisits(routes: readonly ScreenRoute[]): Visit[] {
  return routes.flatMap(({ path, access }) => {
    const { addresses, seenBy = visitorsByAccess[access] } = samplesByRoute[path] ?? sample()
    return seenBy.map((visitor) => ({
      path,
      visitor,
      addresses(world) {
        if (visitor !== 'admin') return addresses(world, 'member')
        // The screens of members look the same to an admin, who therefore visits only one URL of each.
        return addresses(world, 'admin').slice(0, isStaffAccess(access) ? undefined : 1)
      },
    }))
  })
}
