// A thread that draws the landing page with the web app's own components. It is there only while there is
// something to draw, so that React takes no memory from a server that draws nothing.
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** One page: its facts, and the page without content that they belong into. */
export interface LandingOrder {
  data: unknown
  template: string
}

export interface DrawnLanding {
  bytes: Uint8Array
  brotli: Uint8Array
  gzip: Uint8Array
}

interface Renderer {
  drawLanding: (data: unknown) => Promise<{ root: string; facts: string }>
}

/** High enough for a page that is sent many times, and three times as fast as the highest. */
const brotliQuality = 9

const { renderer } = workerData as { renderer: string }
const { drawLanding } = (await import(pathToFileURL(renderer).href)) as Renderer

parentPort?.on('message', (orders: LandingOrder[]) => {
  void Promise.all(orders.map(draw)).then((pages) => parentPort?.postMessage(pages))
})

async function draw({ data, template }: LandingOrder): Promise<DrawnLanding> {
  const { root, facts } = await drawLanding(data)
  const empty = '<div id="root"></div>'
  if (!template.includes(empty)) throw new Error('The page has no place for its content')
  const bytes = Buffer.from(
    template.replace(empty, () => `<div id="root">${root}</div>\n    ${facts}`),
  )
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality }
  return { bytes, brotli: brotliCompressSync(bytes, { params }), gzip: gzipSync(bytes) }
}
