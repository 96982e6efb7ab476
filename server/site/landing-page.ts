// The landing page as the server draws it, so that it can be read and heard before any script of the app has come.
// Drawn when its facts have changed and somebody asks, and kept; one for visitors, and one for browsers that come
// with a session, which shows nothing that depends on whose it is.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Output } from '#contract/endpoint.ts'
import type { listShowcase } from '#contract/showcase-tracks.ts'
import { describePage, type PageOwner } from '../http/page-head.ts'
import { etagOf, type WebFile } from '../http/web-file.ts'
import type { LiveSettings } from '../settings/settings-cache.ts'
import type { Showcase } from '../tracks/showcase.ts'
import { createLandingThread } from './landing-thread.ts'
import type { DrawnLanding } from './draw-landing.ts'
import { describeSite, type SiteServices } from './site-operations.ts'

export interface LandingPage {
  /** Null where it could not be drawn: the app draws the page in the browser then. */
  read: (reader: { isVisitor: boolean }) => Promise<WebFile | null>
  close: () => Promise<void>
}

/** What the page is made of; each is replaced when it changes, so comparing them is comparing identities. */
interface Facts {
  showcase: Output<typeof listShowcase>
  settings: LiveSettings
  tracksReady: number | undefined
}

interface Pages {
  visitor: WebFile
  member: WebFile
}

interface Kept {
  facts: Facts
  pages: Promise<Pages | null>
}

export async function createLandingPage(
  services: SiteServices & { showcase: Showcase },
  options: { folder: string; owner: PageOwner; log: FastifyBaseLogger },
): Promise<LandingPage> {
  const template = async (name: string) =>
    describePage(await readFile(join(options.folder, name), 'utf8'), options.owner, '/')
  const templates = {
    visitor: await template('visitor.html'),
    member: await template('member.html'),
  }
  const thread = createLandingThread(join(options.folder, 'landing-page.js'))
  let kept: Kept | null = null

  async function draw({ showcase }: Facts, before: Kept | null): Promise<Pages | null> {
    // One at a time: whoever asks meanwhile gets the newest.
    await before?.pages
    const data = { site: await describeSite(services), showcase: showcase.data }
    try {
      const [visitor, member] = await thread.draw([
        { data: { ...data, is_visitor: true }, template: templates.visitor },
        { data: { ...data, is_visitor: false }, template: templates.member },
      ])
      return visitor && member ? { visitor: toFile(visitor), member: toFile(member) } : null
    } catch (error) {
      options.log.error({ err: error }, 'drawing the landing page failed')
      return null
    }
  }

  return {
    async read({ isVisitor }) {
      const facts: Facts = {
        showcase: await services.showcase.list(),
        settings: services.settings.current(),
        tracksReady: services.demoProgress()?.tracks_ready,
      }
      if (!kept || !isSame(kept.facts, facts)) kept = { facts, pages: draw(facts, kept) }
      const pages = await kept.pages
      return pages && (isVisitor ? pages.visitor : pages.member)
    },
    close: thread.close,
  }
}

function isSame(a: Facts, b: Facts): boolean {
  return a.showcase === b.showcase && a.settings === b.settings && a.tracksReady === b.tracksReady
}

function toFile(drawn: DrawnLanding): WebFile {
  const bytes = Buffer.from(drawn.bytes)
  return {
    type: 'text/html; charset=utf-8',
    bytes,
    brotli: Buffer.from(drawn.brotli),
    gzip: Buffer.from(drawn.gzip),
    etag: etagOf(bytes),
    cacheControl: 'no-cache',
    vary: 'accept-encoding, cookie',
  }
}
