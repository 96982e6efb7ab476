// Checks every screen and panel of the lived-in world at four widths and in both themes while a song plays. None may
// scroll horizontally, shift its layout, have an axe violation, a touch target that is too small or a console error.
// The player must be inside the window, and headings must have their font.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { openLivedInWorld, type LivedInWorld } from './lived-in-world.ts'
import { findFaults, findShifts } from './look-at-screen.ts'
import { listScreenRoutes } from './screen-routes.ts'
import { documentSamples, planVisits, samplesByRoute, type Visitor } from './screen-samples.ts'
import { closeWindows, withWindow } from './screen-windows.ts'
import { panels } from './screen-panels.ts'
import { devices, resetLayoutShifts, playOn, type ScreenWindow } from './screen-window.ts'
import { settleScreen } from './settle-screen.ts'

/** Long enough while other suites run at the same time, including the wait for a free window. */
const busyMs = 300_000

let world: LivedInWorld
beforeAll(async () => {
  world = await openLivedInWorld()
}, busyMs)
afterAll(async () => {
  await closeWindows()
  await world.close()
})

const routes = await listScreenRoutes()

test('has a URL to visit for every route, and none for a route that does not exist', ({
  expect,
}) => {
  expect(Object.keys(samplesByRoute).toSorted()).toEqual(routes.map(({ path }) => path).toSorted())
})

/** Opens a URL, plays a song, and returns the faults at both widths of the device. */
async function visit(
  window: ScreenWindow,
  visitor: Visitor,
  address: string,
  open?: (page: Page) => Promise<void>,
): Promise<string[]> {
  const { page } = window
  await page.goto(address)
  await settleScreen(page)
  const hasPlayer = visitor !== 'stranger'
  const faults = hasPlayer ? await playOn(page) : []
  faults.push(...(await findShifts(window)))
  if (open) {
    await open(page)
    // Ignore the shift when the panel opened, because the content beside it has to move.
    await resetLayoutShifts(page)
    await settleScreen(page)
    faults.push(...(await findShifts(window)))
  }
  faults.push(...(await findFaults(window, { hasPlayer })))
  return faults.map((fault) => `${address} at ${fault}`)
}

describe.concurrent('every screen is free of faults', { timeout: busyMs }, () => {
  for (const { path, visitor, addresses } of planVisits(routes)) {
    for (const device of devices) {
      test(`${path} on a ${device}, seen by the ${visitor}`, async ({ expect }) => {
        const faults = await withWindow(world, visitor, device, async (window) => {
          const found: string[] = []
          for (const address of addresses(world)) {
            found.push(...(await visit(window, visitor, address)))
          }
          return found
        })
        expect(faults).toEqual([])
      })
    }
  }
})

// These pages are rendered by the server and are not in the router.
describe.concurrent('every public page is free of faults', { timeout: busyMs }, () => {
  for (const [name, addresses] of Object.entries(documentSamples)) {
    for (const device of devices) {
      test(`${name} on a ${device}`, async ({ expect }) => {
        const faults = await withWindow(world, 'stranger', device, async (window) => {
          const found: string[] = []
          for (const address of addresses(world)) {
            found.push(...(await visit(window, 'stranger', address)))
          }
          return found
        })
        expect(faults).toEqual([])
      })
    }
  }
})

describe.concurrent('every panel is free of faults', { timeout: busyMs }, () => {
  for (const { name, visitor, address, open } of panels) {
    for (const device of devices) {
      test(`${name} on a ${device}, opened by the ${visitor}`, async ({ expect }) => {
        const faults = await withWindow(world, visitor, device, (window) =>
          visit(window, visitor, address(world), open),
        )
        expect(faults).toEqual([])
      })
    }
  }
})
