// The paths of the web app. The router accepts only these, and the server returns 404 for paths that are in no list.

export const screenPaths = [
  '/',
  '/auth',
  '/setup',
  '/browse',
  '/artists/:slug',
  '/my-playlists',
  '/my-playlists/:id',
  '/playlist/:id',
  '/releases/:slug',
  '/subscribe',
  '/gift',
  '/receipts/:number',
  '/join/:code',
  '/profile',
  '/admin',
  '/admin/library',
  '/admin/library/upload',
  '/admin/library/import',
  '/admin/insights',
  '/admin/tracks',
  '/admin/categories',
  '/admin/categories/:category',
  '/admin/playlists',
  '/admin/playlists/:id',
  '/admin/releases',
  '/admin/releases/:id',
  '/admin/artists',
  '/admin/genres',
  '/admin/reviews',
  '/admin/figures',
  '/admin/users',
  '/admin/users/:id',
  '/admin/billing',
  '/admin/royalties',
  '/admin/billing/codes',
  '/admin/billing/referrals',
  '/admin/billing/gifts',
  '/admin/settings',
  '/admin/announcements',
  '/admin/support',
  '/admin/spots',
  '/admin/webhooks',
  '/admin/audit',
  '/admin/system',
] as const

export type ScreenPath = (typeof screenPaths)[number]

/** Path in the back office, without `/admin/`. */
export type AdminScreenPath = ScreenPath extends infer Path
  ? Path extends `/admin/${infer Inside}`
    ? Inside
    : never
  : never
