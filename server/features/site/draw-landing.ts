// A child process that renders the landing page with the web app's own components and exits, so that React uses no
// memory in the server. As a worker thread it left 18 MB behind.
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** The request, sent by the server as its only message. */
export interface LandingOrder {
  /** Path of the built rendering code. */
  renderer: string
  pages: {
    facts: unknown
    /** The page without content. */
    template: string
  }[]
}

/** One element of the only response, in the order of the requested pages. */
export interface DrawnPage {
  bytes: Uint8Array
  brotli: Uint8Array
  gzip: Uint8Array
}

interface Renderer {
  drawLanding: (facts: unknown) => Promise<{ root: string; facts: string }>
}

const place = '<div id="root"></div>'
/** Good enough for a page that is sent often, and three times as fast as the highest quality. */
const brotliQuality = 9

process.once('message', (order: LandingOrder) => {
  // An error ends the process, which the server treats as a failure.
  void draw(order).then((drawn) => process.send?.(drawn, () => process.disconnect()))
})

async function draw({ renderer, pages }: LandingOrder): Promise<DrawnPage[]> {
  const { drawLanding } = (await import(pathToFileURL(renderer).href)) as Renderer
  return Promise.all(
    pages.map(async ({ facts, template }) => {
      if (!template.includes(place)) throw new Error('The page has no placeholder for its content')
      const drawn = await drawLanding(facts)
      const content = `<div id="root">${drawn.root}</div>\n    ${drawn.facts}`
      const bytes = Buffer.from(template.replace(place, () => content))
      const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality }
      return { bytes, brotli: brotliCompressSync(bytes, { params }), gzip: gzipSync(bytes) }
    }),
  )
}
