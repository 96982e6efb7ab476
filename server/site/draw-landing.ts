// A child process of its own: draws the landing page with the web app's own components and ends, so that React takes
// no memory from the server. As a thread it left 18 MB behind.
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** What the server asks for, as the one message it sends. */
export interface LandingOrder {
  /** The built code that draws. */
  renderer: string
  pages: {
    facts: unknown
    /** The page without content. */
    template: string
  }[]
}

/** One of the one answer, in the order of the pages asked for. */
export interface DrawnPage {
  bytes: Uint8Array
  brotli: Uint8Array
  gzip: Uint8Array
}

interface Renderer {
  drawLanding: (facts: unknown) => Promise<{ root: string; facts: string }>
}

const place = '<div id="root"></div>'
/** Good enough for a page that is sent many times, and three times as fast as the highest. */
const brotliQuality = 9

process.once('message', (order: LandingOrder) => {
  // A failure ends the process with it, which the server takes as such.
  void draw(order).then((drawn) => process.send?.(drawn, () => process.disconnect()))
})

async function draw({ renderer, pages }: LandingOrder): Promise<DrawnPage[]> {
  const { drawLanding } = (await import(pathToFileURL(renderer).href)) as Renderer
  return Promise.all(
    pages.map(async ({ facts, template }) => {
      if (!template.includes(place)) throw new Error('The page has no place for its content')
      const drawn = await drawLanding(facts)
      const content = `<div id="root">${drawn.root}</div>\n    ${drawn.facts}`
      const bytes = Buffer.from(template.replace(place, () => content))
      const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality }
      return { bytes, brotli: brotliCompressSync(bytes, { params }), gzip: gzipSync(bytes) }
    }),
  )
}
