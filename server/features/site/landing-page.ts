// Renders the landing page on the server, so that people can read it and play its previews before the web app's scripts
// are loaded. It is rendered on the first request after its data changed, and then cached. There is one version for
// visitors and one for browsers with a session; neither contains personal data.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Output } from '#contract/endpoint.ts'
import type { listShowcase } from '#contract/showcase-tracks.ts'
import { describePage, type PageOwner } from '../../platform/http/web-files/page-head.ts'
import { computeEtag, type WebFile } from '../../platform/http/web-files/web-file.ts'
import type { Branding } from '../settings/branding.ts'
import type { LiveSettings } from '../settings/settings-cache.ts'
import type { Showcase } from '../tracks/showcase.ts'
import type { DrawnPage } from './draw-landing.ts'
import { drawInChild } from './draw-in-child.ts'
import { getSite, type SiteServices } from './site-operations.ts'

export interface LandingPage {
  /** Returns the rendered page. Null if rendering failed: the web app then renders the page in the browser. */
  read: (reader: { isVisitor: boolean }) => Promise<WebFile | null>
}

/**
 * The data from which the page is rendered. Each object is replaced when it changes, so comparing references is enough.
 */
interface Sources {
  showcase: Output<typeof listShowcase>
  settings: LiveSettings
  branding: Branding
  tracksReady: number | undefined
}

interface Kept {
  /** The page's data as JSON. */
  text: string
  visitor: WebFile
  member: WebFile
}

export async function createLandingPage(
  services: SiteServices & { showcase: Showcase },
  options: { folder: string; owner: () => PageOwner; log: FastifyBaseLogger },
): Promise<LandingPage> {
  const { folder, owner, log } = options
  const readTemplate = (name: string) => readFile(join(folder, name), 'utf8')
  const visitorTemplate = await readTemplate('visitor.html')
  const memberTemplate = await readTemplate('member.html')
  let sources: Sources | null = null
  let kept: Promise<Kept | null> = Promise.resolve(null)

  async function draw({ showcase }: Sources, waitingFor: typeof kept): Promise<Kept | null> {
    const before = await waitingFor
    const facts = { site: await getSite(services, { isLocal: true }), showcase: showcase.data }
    const text = JSON.stringify(facts)
    if (before?.text === text) return before
    try {
      const [visitor, member] = await drawInChild({
        renderer: join(folder, 'landing-page.js'),
        pages: [
          {
            facts: { ...facts, is_visitor: true },
            template: describePage(visitorTemplate, owner(), '/'),
          },
          {
            facts: { ...facts, is_visitor: false },
            template: describePage(memberTemplate, owner(), '/'),
          },
        ],
      })
      return visitor && member ? { text, visitor: toFile(visitor), member: toFile(member) } : null
    } catch (error) {
      log.error({ err: error }, 'rendering the landing page failed')
      return null
    }
  }

  return {
    async read({ isVisitor }) {
      const now: Sources = {
        showcase: await services.showcase.listShowcase(),
        settings: services.settings.current(),
        branding: services.branding(),
        tracksReady: services.demoProgress()?.tracks_ready,
      }
      if (!sources || !isSame(sources, now)) {
        sources = now
        kept = draw(now, kept)
      }
      const pages = await kept
      return pages && (isVisitor ? pages.visitor : pages.member)
    },
  }
}

function isSame(a: Sources, b: Sources): boolean {
  return (
    a.showcase === b.showcase &&
    a.settings === b.settings &&
    a.branding === b.branding &&
    a.tracksReady === b.tracksReady
  )
}

function toFile(drawn: DrawnPage): WebFile {
  const bytes = Buffer.from(drawn.bytes)
  return {
    type: 'text/html; charset=utf-8',
    bytes,
    brotli: Buffer.from(drawn.brotli),
    gzip: Buffer.from(drawn.gzip),
    etag: computeEtag(bytes),
    cacheControl: 'no-cache',
    vary: 'accept-encoding, cookie',
  }
}
