// The addresses of public pages, which the server draws. They are no screens of the web app.

export const pageKinds = ['track', 'release', 'artist', 'playlist', 'category'] as const
export type PageKind = (typeof pageKinds)[number]

/** `/t/{slug}` and so on. */
export const pagePrefixes: Record<PageKind, string> = {
  track: 't',
  release: 'r',
  artist: 'a',
  playlist: 'p',
  category: 'c',
}

export function pagePath(kind: PageKind, slug: string): string {
  return `/${pagePrefixes[kind]}/${slug}`
}

/** The query parameter with the secret of a press link. */
export const pressParam = 'press'
