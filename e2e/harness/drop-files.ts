// Simulates dragging files from the desktop into the window: a trusted drop event with real files.
import type { Page } from 'playwright-core'

/** Drops files and folders from disk in the middle of the window. */
export async function dropFiles(page: Page, paths: readonly string[]): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const { width, height } = page.viewportSize() ?? { width: 800, height: 600 }
  const data = { items: [], files: [...paths], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devtools.send('Input.dispatchDragEvent', { type, x: width / 2, y: height / 2, data })
  }
  await devtools.detach()
}
