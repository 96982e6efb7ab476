// What most tests need: a new service, an API client signed in as its owner, and a browser.
import type { Browser } from 'playwright-core'
import { signInOwner, type ApiClient } from './api-client.ts'
import { launchBrowser } from './browser.ts'
import { startService, type Service } from './service.ts'

export interface Stage extends Service {
  owner: ApiClient
  browser: Browser
  /** Stops the service and the browser. Call it in `afterAll`. */
  close: () => Promise<void>
}

/** Starts the service and the browser. Call it in `beforeAll`. */
export async function setStage(
  options: {
    env?: Record<string, string>
    /** See `launchBrowser`. */
    audible?: boolean
  } = {},
): Promise<Stage> {
  const service = await startService(options)
  const owner = await signInOwner(service.url)
  const browser = await launchBrowser(options)
  return {
    ...service,
    owner,
    browser,
    async close() {
      await browser.close()
      await service.remove()
    },
  }
}
