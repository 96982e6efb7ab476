// The browser of the measurements, and people signed in to it.
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'

export function openBrowser(options: { mayPlay?: boolean } = {}): Promise<Browser> {
  const executablePath = process.env['CHROMIUM_PATH']
  if (!executablePath) throw new Error('CHROMIUM_PATH is not set: start this with "npm run bench"')
  return chromium.launch({
    executablePath,
    args: [
      ...(options.mayPlay ? ['--autoplay-policy=no-user-gesture-required'] : []),
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  })
}

/** `cookie`: as in the header of a request. What the service worker fetches for later is no part of a measurement. */
export async function openContext(
  browser: Browser,
  url: string,
  cookie?: string,
): Promise<BrowserContext> {
  // A proxy of a measurement signs its own certificate.
  const context = await browser.newContext({ serviceWorkers: 'block', ignoreHTTPSErrors: true })
  if (cookie === undefined) return context
  const cookies = cookie.split('; ').map((pair) => {
    const [name = '', ...value] = pair.split('=')
    return { name, value: value.join('='), url }
  })
  await context.addCookies(cookies)
  return context
}

/** A good day on 4G: milliseconds, and bytes per second. */
export const mobileLine = { latency: 60, downloadThroughput: 1_250_000, uploadThroughput: 625_000 }

/** From now on all that the page fetches comes over such a line. */
export async function takeMobileLine(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page)
  await client.send('Network.enable')
  await client.send('Network.emulateNetworkConditions', { offline: false, ...mobileLine })
}
