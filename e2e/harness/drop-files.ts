// Drops files from disk into the page, with a trusted drop event like one from the desktop.
import type { Locator, Page } from 'playwright-core'

/** Drops files and folders on the target. Without a target, drops them in the middle of the window. */
export async function dropFiles(
  page: Page,
  paths: readonly string[],
  target?: Locator,
): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const { width, height } = page.viewportSize() ?? { width: 800, height: 600 }
  const box = (await target?.boundingBox()) ?? { x: 0, y: 0, width, height }
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const data = { items: [], files: [...paths], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devtools.send('Input.dispatchDragEvent', { type, ...at, data })
  }
  await devtools.detach()
}
