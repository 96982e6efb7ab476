// Categories and artists for tests.
import type { Artist } from '#contract/artists.ts'
import type { Category } from '#contract/categories.ts'

const noCover = { cover_url: null, cover_tint: null, cover_placeholder: null }

export function makeCategory(changes: Partial<Category> = {}): Category {
  return {
    id: '0191a0c0-0000-7000-8000-0000000000f0',
    category: 'focus',
    display_name: 'Focus',
    description: 'Quiet',
    ...noCover,
    is_visible: true,
    sort_order: 0,
    track_count: 2,
    ...changes,
  }
}

export function makeArtist(changes: Partial<Artist> = {}): Artist {
  return {
    id: '0191a0c0-0000-7000-8000-0000000000b1',
    name: 'Mira Holt',
    slug: 'mira-holt',
    share_url: '/a/mira-holt',
    ...noCover,
    track_count: 2,
    ...changes,
  }
}
