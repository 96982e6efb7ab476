// The browser of the measurements, and people signed in to it.
import { chromium, type Browser, type BrowserContext } from 'playwright-core'

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
