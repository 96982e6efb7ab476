// Finds, reads and renders public pages, and caches them for a few seconds in this instance's memory.
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { PageKind } from '#contract/public-pages.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/database.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import { computeEtag, type WebFile } from '../../platform/http/web-files/web-file.ts'
import type { ReadBranding } from '../settings/branding.ts'
import type { SettingsCache } from '../settings/settings-cache.ts'
import { renderPage, type PageFrame } from './render-page.ts'
import { findPage, type FoundPage } from './find-page.ts'
import type { PageAssets } from './page-assets.ts'
import { readPage, type PageFacts } from './page-facts.ts'
import type { CardAddresses } from './page-head.ts'

export interface PublicPageServices {
  config: Config
  db: Database
  bus: Pick<EventBus, 'on' | 'onMissed' | 'isConnected'>
  settings: SettingsCache
  branding: ReadBranding
  now: () => Date
}

export interface OpenPage {
  found: FoundPage
  facts: PageFacts
  cards: CardAddresses
  /** The response body and its headers. */
  file: WebFile
}

export interface PublicPages {
  /** Null if the item is not public, unless `press` is the secret of a press link that opens it. */
  open: (kind: PageKind, slug: string, press: string | null) => Promise<OpenPage | null>
  frame: () => PageFrame
}

const cacheMs = 10_000
const maxCachedPages = 500
/**
 * The events that evict cached pages. Every change of a page's contents sends one of these events. The exceptions are
 * members' changes of their own playlists, so those pages are not cached.
 */
const topics = ['catalogue', 'tracks', 'releases', 'categories', 'playlists', 'settings'] as const
/** A compromise between size and speed, because pages are compressed at request time. */
const brotliQuality = 4

export function createPublicPages(
  services: PublicPageServices,
  assets: PageAssets,
  readCards: (facts: PageFacts) => Promise<CardAddresses>,
): PublicPages {
  const { config, branding, db, bus, settings, now } = services
  const kept = new LRUCache<string, Promise<OpenPage | null>>({ max: maxCachedPages, ttl: cacheMs })
  const evictAll = () => kept.clear()
  for (const topic of topics) bus.on(topic, evictAll)
  bus.onMissed(evictAll)

  const frame = (): PageFrame => ({
    branding: branding(),
    legal: settings.legal().pages,
    publicUrl: config.publicUrl,
    assets,
    year: now().getUTCFullYear(),
  })

  async function read(
    kind: PageKind,
    slug: string,
    press: string | null,
  ): Promise<OpenPage | null> {
    const found = await findPage(db, kind, slug, press)
    if (!found) return null
    const withLyrics = settings.current().lyrics_on_pages
    const facts = await readPage(db, found, { withLyrics })
    if (!facts) return null
    const opened = found.reader === 'press' ? press : null
    const cards = opened === null ? await readCards(facts) : noCards
    const file = toFile(renderPage(facts, { ...frame(), cards, press: opened }))
    return { found, facts, cards, file }
  }

  return {
    frame,
    open(kind, slug, press) {
      if (press !== null || kind === 'playlist' || !bus.isConnected()) {
        return read(kind, slug, press)
      }
      const key = `${kind} ${slug}`
      const before = kept.get(key)
      if (before) return before
      const reading = read(kind, slug, null)
      kept.set(key, reading)
      const drop = () => {
        if (kept.peek(key) === reading) kept.delete(key)
      }
      // Do not cache failures and unknown slugs.
      reading.then((page) => page ?? drop(), drop)
      return reading
    },
  }
}

const noCards: CardAddresses = { wide: null, square: null, video: null, cover: null }

/** Shared caches must revalidate after half a minute, so that a hidden page disappears from them by then. */
const cacheControl = 'public, max-age=0, s-maxage=30, must-revalidate'

export function toFile(text: string, type = 'text/html; charset=utf-8'): WebFile {
  const bytes = Buffer.from(text)
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality }
  return {
    type,
    bytes,
    brotli: brotliCompressSync(bytes, { params }),
    gzip: gzipSync(bytes),
    etag: computeEtag(bytes),
    cacheControl,
    vary: 'accept-encoding, cookie',
  }
}
