// Renders the landing page in a child process, with the web app's components. The process exits afterwards, so React
// uses no memory in the server. A worker thread left 18 MB behind.
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** The request to render. The server sends it as its only message. */
export interface LandingOrder {
  /** Path of the built renderer. */
  renderer: string
  pages: {
    facts: unknown
    /** The HTML of the page with empty content. */
    template: string
  }[]
}

/** A rendered page. The response contains one for each requested page, in the same order. */
export interface DrawnPage {
  bytes: Uint8Array
  brotli: Uint8Array
  gzip: Uint8Array
}

interface Renderer {
  renderLanding: (facts: unknown) => Promise<{ root: string; facts: string }>
}

const place = /<div id="root"><\/div>(?:\s*<!--[^>]*-->)?(?:\s*<img class="start-mark"[^>]*>)?/
/** Three times as fast as the highest quality, and compresses well enough for a page that is sent often. */
const brotliQuality = 9

process.once('message', (order: LandingOrder) => {
  // An error ends the process, which the server treats as a failure.
  void draw(order).then((drawn) => process.send?.(drawn, () => process.disconnect()))
})

async function draw({ renderer, pages }: LandingOrder): Promise<DrawnPage[]> {
  const { renderLanding } = (await import(pathToFileURL(renderer).href)) as Renderer
  return Promise.all(
    pages.map(async ({ facts, template }) => {
      if (!place.test(template)) throw new Error('The page has no placeholder for its content')
      const drawn = await renderLanding(facts)
      const content = `<div id="root">${drawn.root}</div>\n    ${drawn.facts}`
      const bytes = Buffer.from(template.replace(place, () => content))
      const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality }
      return { bytes, brotli: brotliCompressSync(bytes, { params }), gzip: gzipSync(bytes) }
    }),
  )
}
