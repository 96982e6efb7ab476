// Checks every screen of the lived-in world in Firefox and WebKit: no horizontal scrolling, and headings in their font.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLivedInWorld, type LivedInWorld } from '../lived-in/lived-in-world.ts'
import { listScreenRoutes } from '../lived-in/screen-routes.ts'
import { planVisits, type Visitor } from '../lived-in/screen-samples.ts'
import type { EnginePage } from './engine-page.ts'
import { engines, findHeadingsInOtherFaces, signIn, signOut } from './engines.ts'
import { openSoundDevice, type SoundDevice } from './sound-device.ts'

let world: LivedInWorld
let device: SoundDevice

beforeAll(async () => {
  device = await openSoundDevice()
  world = await openLivedInWorld()
}, 300_000)

afterAll(async () => {
  await world.close()
  await device.close()
})

const visits = planVisits(await listScreenRoutes())

describe.each(engines)('$engine', ({ launch }) => {
  let page: EnginePage

  beforeAll(async () => {
    page = await launch({ soundServer: device.server })
  })

  afterAll(() => page.close())

  test.each<Visitor>(['stranger', 'member', 'admin'])(
    'fits every screen of the %s into the window, in the display face',
    { timeout: 300_000 },
    async (visitor) => {
      if (visitor === 'stranger') await signOut(page, world.url)
      else await signIn(page, world.url, world[visitor])
      const faults: string[] = []
      for (const { addresses } of visits.filter((visit) => visit.visitor === visitor)) {
        for (const address of addresses(world)) {
          await page.goto(new URL(address, world.url).href)
          await expect
            .poll(() => page.evaluate(() => document.querySelector('h1, h2') !== null), {
              message: address,
            })
            .toBe(true)
          // The window of WebKitGTK is at least 447 px wide, so 390 px is only reached in Firefox.
          for (const width of [390, 1440]) {
            await page.resize(width, 900)
            const wider = await page.evaluate(
              () => document.documentElement.scrollWidth - innerWidth,
            )
            if (wider > 0) faults.push(`${address} at ${width} px is ${wider} px too wide`)
          }
          for (const heading of await findHeadingsInOtherFaces(page)) {
            faults.push(`${address}: “${heading}” is in another face`)
          }
        }
      }
      expect(faults).toEqual([])
    },
  )
})
