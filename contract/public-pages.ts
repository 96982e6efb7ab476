// Public pages, which are rendered by the server: their URLs and share counts. The web app has no screens for them.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { minute } from './rate-limit.ts'

export const pageKinds = ['track', 'release', 'artist', 'playlist', 'category'] as const
export type PageKind = (typeof pageKinds)[number]

/** The first path segment of each kind of page: `/t/{slug}` for a track. */
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

/** The query parameter that contains the secret of a press link. */
export const pressParam = 'press'

export const recordShare = endpoint({
  method: 'POST',
  path: '/api/page-shares',
  summary: 'Count a share of a public page. Nothing is stored about the person.',
  access: 'anyone',
  body: z.object({
    kind: z.enum(pageKinds),
    slug: z.string().check(z.minLength(1), z.maxLength(120)),
  }),
  rateLimit: { name: 'page-share', per: 'caller', count: 60, seconds: minute },
})
