// The addresses of the web app. The router takes only these, and the server answers any other with 404.

export const screenPaths = [
  '/',
  '/auth',
  '/browse',
  '/my-playlists',
  '/my-playlists/:id',
  '/playlist/:id',
  '/subscribe',
  '/profile',
  '/admin',
  '/admin/library',
  '/admin/library/upload',
  '/admin/insights',
  '/admin/tracks',
  '/admin/categories',
  '/admin/categories/:category',
  '/admin/playlists',
  '/admin/playlists/:id',
  '/admin/genres',
  '/admin/users',
  '/admin/users/:id',
  '/admin/billing',
  '/admin/settings',
  '/admin/audit',
  '/admin/system',
] as const

export type ScreenPath = (typeof screenPaths)[number]

/** Inside the back office, without `/admin/`. */
export type AdminScreenPath = ScreenPath extends infer Path
  ? Path extends `/admin/${infer Inside}`
    ? Inside
    : never
  : never
