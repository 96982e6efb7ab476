// Checks every screen and panel in the lived-in world, at four widths and in both themes, while a song plays: no
// sideways scroll, the player inside the window, headings in the display face, no layout shift, no axe violation, no
// touch target that is too small, no console error.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { openLivedInWorld, type LivedInWorld } from './lived-in-world.ts'
import { findFaults, findShifts } from './look-at-screen.ts'
import { listScreenRoutes } from './screen-routes.ts'
import { documentSamples, planVisits, samplesOf, type Visitor } from './screen-samples.ts'
import { closeWindows, withWindow } from './screen-windows.ts'
import { panels } from './screen-panels.ts'
import { devices, resetLayoutShifts, playOn, type ScreenWindow } from './screen-window.ts'
import { settleScreen } from './settle-screen.ts'

/** Enough with other suites running concurrently. Includes the wait for a free window. */
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

test('every route of the router has an address to visit, and no address lacks a route', ({
  expect,
}) => {
  expect(Object.keys(samplesOf).toSorted()).toEqual(routes.map(({ path }) => path).toSorted())
})

/** Opens an address, plays the song and returns the faults at the width of the device and at the narrow one. */
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
    // Making room for a panel moves the content beside it, which is intended.
    await resetLayoutShifts(page)
    await settleScreen(page)
    faults.push(...(await findShifts(window)))
  }
  faults.push(...(await findFaults(window, { hasPlayer })))
  return faults.map((fault) => `${address} at ${fault}`)
}

describe.concurrent('each screen holds', { timeout: busyMs }, () => {
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

// Documents of the server, which are no routes of the router.
describe.concurrent('each page for everyone holds', { timeout: busyMs }, () => {
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

describe.concurrent('each panel holds', { timeout: busyMs }, () => {
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
