// Tests what members hear between two songs: free members hear the owner's spot, Premium members hear nothing.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestUpload, publishTrack } from './harness/api-client.ts'
import { openPage } from './harness/browser.ts'
import { makeWav } from './harness/make-wav.ts'
import { signIn } from './harness/members.ts'
import { waitUntil } from './harness/service.ts'
import { readSoundState, measurePitch, recordTab } from './harness/sound-probe.ts'
import { setStage, type Stage } from './harness/stage.ts'

let stage: Stage

const free = { email: 'free-ears@example.com', password: 'a-listeners-password' }
const premium = { email: 'premium-ears@example.com', password: 'a-listeners-password' }
const songHertz = 262
const spotHertz = 880

beforeAll(async () => {
  stage = await setStage({ audible: true })
  const { owner } = stage
  for (const member of [free, premium]) {
    await owner.send('POST', '/api/auth/sign-up/email', { ...member, name: '' })
  }
  const { body } = await owner.send('GET', `/api/admin-users?q=${premium.email}`)
  const [person] = body['data'] as { id: string }[]
  await owner.send('PATCH', `/api/admin-users/${person!.id}/subscription`, {
    subscription_tier: 'premium',
  })
  for (const [index, title] of ['Tone One', 'Tone Two', 'Tone Three'].entries()) {
    await publishTrack(owner, makeWav(7, songHertz + index), { title })
  }
  await addSpot()
}, 180_000)

afterAll(() => stage.close())

async function addSpot(): Promise<void> {
  const { owner } = stage
  const wav = makeWav(5, spotHertz)
  const { path, uploadToken, uploadUrl } = await requestUpload(
    owner,
    'spot.wav',
    'audio/wav',
    wav.length,
  )
  await owner.fetch(uploadUrl, {
    method: 'PUT',
    headers: { 'upload-token': uploadToken, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(wav),
  })
  const made = await owner.send('POST', '/api/admin-spots', {
    kind: 'sound',
    title: 'New album on Friday',
    is_on: true,
    audio_path: path,
  })
  expect(made.status).toBe(201)
  await owner.send('PUT', '/api/admin-spot-rules', {
    every_songs: 1,
    per_hour: 30,
    skip_after_seconds: null,
    offers_premium: true,
  })
  const isOn = async () => {
    const { body } = await owner.send('GET', '/api/admin-spots')
    return (body['data'] as { state: string }[])[0]?.state === 'on'
  }
  await waitUntil(isOn, 300_000, 'the recording of the spot')
}

async function openListening(member: typeof free): Promise<{ page: Page; problems: string[] }> {
  const { page, problems } = await openPage(stage.browser)
  await signIn(page, stage, member)
  await page.goto(`${stage.url}/browse`)
  await page.getByRole('button', { name: 'Play All' }).click()
  await recordTab(page)
  return { page, problems }
}

const isAbout = (hertz: number) => (pitch: number) => Math.abs(pitch - hertz) < hertz * 0.05
async function untilPitch(page: Page, hertz: number): Promise<void> {
  await expect
    .poll(async () => isAbout(hertz)(await measurePitch(page)), { timeout: 15_000 })
    .toBe(true)
}

/** Leaves out violations that recording the tab in this test causes. */
const ofApp = (problems: string[]) =>
  problems.filter((problem) => !problem.startsWith('Permissions policy violation'))

test('plays the spot to a free member between two songs, then the next song', async () => {
  const { page, problems } = await openListening(free)
  await untilPitch(page, songHertz)
  // The preview ends with a notice. Next goes on.
  await page.getByText('Full playback available with Premium').waitFor({ timeout: 20_000 })
  await page.getByRole('button', { name: 'Next', exact: true }).press('Enter')
  await page.getByText('Message from Velour', { exact: true }).waitFor()
  await untilPitch(page, spotHertz)
  expect((await readSoundState(page)).source).toContain('/api/spots/')
  await page.getByText('Message from Velour', { exact: true }).waitFor({ state: 'detached' })
  await untilPitch(page, songHertz)
  const { body } = await stage.owner.send('GET', '/api/admin-spots')
  expect(body['data']).toMatchObject([{ shown: 1, finished: 1, clicked: 0 }])
  expect(ofApp(problems)).toEqual([])
  await page.context().close()
}, 90_000)

test('plays songs to a Premium member without a spot', async () => {
  const { page, problems } = await openListening(premium)
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await untilPitch(page, songHertz)
  const { source } = await readSoundState(page)
  await expect
    .poll(async () => (await readSoundState(page)).source, { timeout: 20_000 })
    .not.toBe(source)
  await untilPitch(page, songHertz)
  expect(requests.filter((path) => path.includes('spot'))).toEqual([])
  expect(ofApp(problems)).toEqual([])
  await page.context().close()
}, 90_000)
