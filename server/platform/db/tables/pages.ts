// Tables for public pages, their link previews and their statistics.
import type { Generated } from 'kysely'
import type { PageKind } from '#contract/public-pages.ts'

/** Current and former slugs of tracks and playlists. Triggers add rows. */
interface PageSlugs {
  kind: 'track' | 'playlist'
  slug: string
  item_id: string
  is_current: Generated<boolean>
}

/** Pictures of link previews, see features/share-cards. */
interface ShareCards {
  kind: PageKind
  item_id: string
  content_hash: string
  wide_key: string
  square_key: string
  video_key: string | null
  made_at: Generated<string>
}

/** Daily statistics of public pages. */
interface PageDays {
  day: string
  kind: PageKind
  item_id: string
  shares: Generated<number>
  visits: Generated<number>
  previews: Generated<number>
  sign_ups: Generated<number>
  paid: Generated<number>
}

interface SignUpPages {
  user_id: string
  kind: PageKind
  item_id: string
  is_paid: Generated<boolean>
}

interface PressLinks {
  id: Generated<string>
  kind: 'track' | 'release' | 'artist'
  item_id: string
  secret_hash: string
  label: string
  expires_at: string
  created_by: string | null
  created_at: Generated<string>
}

export interface PagesTables {
  page_slugs: PageSlugs
  share_cards: ShareCards
  page_days: PageDays
  sign_up_pages: SignUpPages
  press_links: PressLinks
}
