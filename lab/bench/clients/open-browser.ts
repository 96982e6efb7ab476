// Opens the browser for benchmarks, and browser contexts that are signed in.
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

/**
 * `cookie` has the form of the request header. Service workers are blocked, because their prefetches would be counted.
 */
export async function openContext(
  browser: Browser,
  url: string,
  cookie?: string,
): Promise<BrowserContext> {
  // Accept the self-signed certificate of the TLS proxy in the protocol benchmark.
  const context = await browser.newContext({ serviceWorkers: 'block', ignoreHTTPSErrors: true })
  if (cookie === undefined) return context
  const cookies = cookie.split('; ').map((pair) => {
    const [name = '', ...value] = pair.split('=')
    return { name, value: value.join('='), url }
  })
  await context.addCookies(cookies)
  return context
}

/** A good 4G connection. Latency in milliseconds, throughput in bytes per second. */
export const mobileLine = { latency: 60, downloadThroughput: 1_250_000, uploadThroughput: 625_000 }

/** Emulates a mobile network for the page. */
export async function emulateMobileNetwork(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page)
  await client.send('Network.enable')
  await client.send('Network.emulateNetworkConditions', { offline: false, ...mobileLine })
}
