// What a browser that comes for the first time has to fetch: script on the landing page and on Browse, as it travels,
// and whether the back office stays where it is. With Lighthouse, where it is installed, also what that thinks of the
// landing page.
import type { Browser } from 'playwright-core'
import type { BenchWorld } from './bench-world.ts'
import { putCovers } from './covers-on-disk.ts'
import { askLighthouse } from './lighthouse.ts'
import { openBrowser, openContext } from './open-browser.ts'
import type { Finding } from './report.ts'

const kilobyte = 1000
/** Screens of the back office, as their chunks are named. */
const adminChunks =
  /admin-|(?:audit|billing|insights|settings|system|uploads|users)-screen|upload-drop-zone|line-chart/
const playerChunks = /player-bar|queue-panel/

interface Visit {
  scripts: { name: string; bytes: number }[]
  /** Compressed, without the heads of the answers. */
  bytes: number
  /** Of these, what does not belong to the app that comes afterwards. */
  neededBytes: number
}

export async function benchFirstLoad(world: BenchWorld): Promise<Finding[]> {
  await putCovers(world)
  const browser = await openBrowser()
  try {
    const landing = await visit(browser, world.url)
    const browse = await visit(browser, `${world.url}/browse`, world.member)
    for (const [name, { scripts, bytes }] of Object.entries({ landing, browse })) {
      world.say(`${name}: ${bytes / kilobyte} kB in ${scripts.length} scripts`)
    }
    return [
      size('landing page', landing, 130),
      {
        name: 'landing page: script without which it is not read or heard',
        goal: '≤ 10 kB compressed',
        value: `${(landing.neededBytes / kilobyte).toFixed(1)} kB to hear it, none to read it`,
        ok: landing.neededBytes > 0 && landing.neededBytes <= 10 * kilobyte,
      },
      size('Browse', browse, 200),
      absent('landing page: player and back office', landing, [adminChunks, playerChunks]),
      absent('Browse: back office', browse, [adminChunks]),
      ...(await askLighthouse(world)),
    ]
  } finally {
    await browser.close()
  }
}

/** Counts what comes over the network. */
async function visit(browser: Browser, url: string, cookie?: string): Promise<Visit> {
  const context = await openContext(browser, url, cookie)
  try {
    const page = await context.newPage()
    const client = await context.newCDPSession(page)
    const coming = new Map<string, { name: string; headBytes: number }>()
    const scripts: Visit['scripts'] = []
    client.on('Network.responseReceived', ({ requestId, response, type }) => {
      if (type !== 'Script') return
      const name = new URL(response.url).pathname
      // What has come by then is the head, which is no script.
      coming.set(requestId, { name, headBytes: response.encodedDataLength })
    })
    client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const script = coming.get(requestId)
      if (!script) return
      scripts.push({ name: script.name, bytes: encodedDataLength - script.headBytes })
    })
    await client.send('Network.enable')
    await page.goto(url)
    // The landing page starts the app when somebody is there.
    await page.mouse.move(50, 50)
    await page.waitForFunction(() =>
      performance
        .getEntriesByType('resource')
        .some(({ name }) => /\/assets\/index-.*js/.test(name)),
    )
    await page.waitForLoadState('networkidle')
    await page.getByRole('main').waitFor()
    const start = page.locator('script[data-app]')
    const app = (await start.count()) > 0 ? await start.getAttribute('data-app') : ''
    const total = (some: Visit['scripts']) => some.reduce((sum, { bytes }) => sum + bytes, 0)
    const needed = scripts.filter(({ name }) => !app?.includes(name))
    return { scripts, bytes: total(scripts), neededBytes: total(needed) }
  } finally {
    await context.close()
  }
}

function size(name: string, { bytes, scripts }: Visit, mostKilobytes: number): Finding {
  return {
    name: `${name}: script on the first load`,
    goal: `≤ ${mostKilobytes} kB compressed`,
    value: `${(bytes / kilobyte).toFixed(1)} kB in ${scripts.length} files`,
    ok: scripts.length > 0 && bytes <= mostKilobytes * kilobyte,
  }
}

function absent(name: string, { scripts }: Visit, chunks: RegExp[]): Finding {
  const found = scripts.filter((script) => chunks.some((chunk) => chunk.test(script.name)))
  return {
    name: `${name} only when needed`,
    goal: 'no script of theirs',
    value: found.map((script) => script.name.replace('/assets/', '')).join(', ') || 'none',
    ok: found.length === 0,
  }
}
