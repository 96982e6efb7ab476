// Tests the back office in Firefox and WebKit: an admin uploads a track, publishes it and plays it.
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signInOwner, waitForTrack, type ApiClient } from '../harness/api-client.ts'
import { makeWav } from '../harness/make-wav.ts'
import { admin, startService, waitUntil, type Service } from '../harness/service.ts'
import type { EnginePage } from './engine-page.ts'
import { engines, readPlayerState, signIn } from './engines.ts'
import { click, fill, waitFor } from './find-by-role.ts'
import { openSoundDevice, type SoundDevice } from './sound-device.ts'

let service: Service
let owner: ApiClient
let device: SoundDevice

beforeAll(async () => {
  device = await openSoundDevice()
  service = await startService()
  owner = await signInOwner(service.url)
})

afterAll(async () => {
  await service.remove()
  await device.close()
})

describe.each(engines)('$engine', ({ engine, launch }) => {
  let page: EnginePage

  beforeAll(async () => {
    page = await launch({ soundServer: device.server })
    await page.resize(1440, 900)
    await signIn(page, service.url, admin)
  })

  afterAll(() => page.close())

  test('uploads a track in its form, publishes it and plays it', async () => {
    const title = `Recorded in ${engine}`
    await page.goto(`${service.url}/admin/library`)
    await click(page, 'button', 'Add Track')
    await fill(page, 'Title', title)
    await chooseFile(page, makeWav(20, 300))
    await click(page, 'switch', 'Published')
    await click(page, 'button', 'Add Track')
    await waitFor(page, 'rowheader', new RegExp(title))
    const { id } = await findTrack(title)
    expect(await waitForTrack(owner, id)).toMatchObject({ title, is_published: true })

    await page.goto(`${service.url}/browse`)
    await click(page, 'button', 'Play All')
    await expect.poll(async () => (await readPlayerState(page)).seconds).toBeGreaterThan(0.5)
  })

  // Only in WebKit, because only WebKit shows today's date in an empty date field, as if it were set.
  if (engine !== 'WebKit') return
  test('shows an unset date as empty', async () => {
    await page.goto(`${service.url}/admin/audit`)
    await waitFor(page, 'heading', 'Audit Log')
    const empty = await contrastInDateField(page)
    await page.evaluate(() => {
      const field = document.querySelector<HTMLInputElement>('input[type=date]')!
      const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!
      set!.call(field, '2026-01-31')
      field.dispatchEvent(new Event('input', { bubbles: true }))
      field.dispatchEvent(new Event('change', { bubbles: true }))
    })
    expect(empty).toBeLessThan(1)
    await expect.poll(() => contrastInDateField(page)).toBeGreaterThan(10)
  })
})

/** Returns how much the brightness varies inside the first date field. 0 means that nothing is drawn. */
async function contrastInDateField(page: EnginePage): Promise<number> {
  const area = await page.evaluate(() => {
    const { left, top, width, height } = document
      .querySelector('input[type=date]')!
      .getBoundingClientRect()
    // Leave out the border and the calendar icon, which are always drawn.
    return {
      left: Math.round(left + 8),
      top: Math.round(top + 6),
      width: Math.round(width * 0.6),
      height: Math.round(height - 12),
    }
  })
  const field = await sharp(await page.screenshot())
    .extract(area)
    .greyscale()
    .toBuffer()
  return (await sharp(field).stats()).channels[0]!.stdev
}

/** Sets the file in the form's audio field, as the file dialog does. */
async function chooseFile(page: EnginePage, wav: Buffer): Promise<void> {
  await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const chosen = new DataTransfer()
    chosen.items.add(new File([bytes], 'recording.wav', { type: 'audio/wav' }))
    const field = document.querySelector<HTMLInputElement>(
      'dialog input[type=file][accept^=audio]',
    )!
    field.files = chosen.files
    field.dispatchEvent(new Event('change', { bubbles: true }))
  }, wav.toString('base64'))
}

async function findTrack(title: string): Promise<{ id: string }> {
  let found: { id: string } | undefined
  await waitUntil(
    async () => {
      const { body } = await owner.send('GET', `/api/admin-tracks?q=${encodeURIComponent(title)}`)
      found = (body['data'] as { id: string }[])[0]
      return found !== undefined
    },
    60_000,
    title,
  )
  return found!
}
