// Compressed size of the scripts that a first visit of the landing page and of Browse loads. Checks that none of them
// belongs to the back office. Also runs Lighthouse if it is installed.
import type { Browser } from 'playwright-core'
import type { BenchWorld } from './world/bench-world.ts'
import { putCovers } from './world/covers-on-disk.ts'
import { fullGoals, runLighthouse } from './lighthouse.ts'
import { openBrowser, openContext } from './clients/open-browser.ts'
import type { Finding } from './report.ts'

const kilobyte = 1000
/** Names of the script files with back-office code. */
const adminChunks =
  /admin-|(?:audit|billing|insights|settings|system|uploads|users)-screen|upload-drop-zone|line-chart/
const playerChunks = /player-bar|queue-panel|\/(?:music|player)-/

interface Visit {
  scripts: { name: string; bytes: number }[]
  /** Compressed size of all scripts, without response headers. */
  bytes: number
  /** The part of `bytes` that is needed at once. The landing page loads the app only later. */
  neededBytes: number
}

export async function benchFirstLoad(world: BenchWorld): Promise<Finding[]> {
  await putCovers(world)
  const browser = await openBrowser()
  try {
    const landing = await visit(browser, world.url)
    const browse = await visit(browser, `${world.url}/browse`, world.member)
    for (const [name, { scripts, bytes }] of Object.entries({ landing, browse })) {
      world.print(`${name}: ${bytes / kilobyte} kB in ${scripts.length} scripts`)
    }
    return [
      size('landing page', landing, 130),
      {
        name: 'landing page: script without which it is not read or heard',
        goal: '≤ 10 kB compressed',
        value: `${(landing.neededBytes / kilobyte).toFixed(1)} kB to hear it, none to read it`,
        ok: landing.neededBytes > 0 && landing.neededBytes <= 10 * kilobyte,
      },
      size('Browse', browse, 195),
      absent('landing page: player and back office', landing, [adminChunks, playerChunks]),
      absent('Browse: back office', browse, [adminChunks]),
      ...(await runLighthouse(world, [
        { name: 'landing page', path: '/', goals: fullGoals },
        {
          name: 'Browse',
          path: '/browse',
          cookie: world.member,
          // No SEO score, because only signed-in members see Browse.
          goals: { accessibility: 100, 'best-practices': 100 },
        },
      ])),
    ]
  } finally {
    await browser.close()
  }
}

/** Opens a page, and returns its scripts and how many bytes were transferred for them. */
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
      // At this moment only the headers of the response have arrived.
      coming.set(requestId, { name, headBytes: response.encodedDataLength })
    })
    client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const script = coming.get(requestId)
      if (!script) return
      scripts.push({ name: script.name, bytes: encodedDataLength - script.headBytes })
    })
    await client.send('Network.enable')
    await page.goto(url)
    // The landing page loads the app after the first input.
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
