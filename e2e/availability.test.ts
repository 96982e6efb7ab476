// Tests a scheduled track, a track in early access and a Premium-only track, from the owner's form to the member's
// page.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publishTrack } from './harness/api-client.ts'
import { findViolations } from './harness/browser.ts'
import { makeWav } from './harness/make-wav.ts'
import { makePerson, openAs } from './harness/people.ts'
import { admin } from './harness/service.ts'
import { setStage, type Stage } from './harness/stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.close())

const patchTrack = async (id: string, body: object) => {
  const { status } = await stage.owner.send('PATCH', `/api/admin-tracks/${id}`, body)
  expect(status).toBe(200)
}

test('shows a scheduled track on an open page as soon as it is released', async () => {
  const draft = await publishTrack(stage.owner, makeWav(3, 440), {
    title: 'Coming Soon',
    is_published: false,
  })
  await publishTrack(stage.owner, makeWav(3, 330), { title: 'Already Here' })
  const member = await makePerson(stage.owner, 'waiting', 'free')
  const { page, problems } = await openAs(stage.browser, stage, member, '/browse')
  await page.getByText('Already Here').first().waitFor()
  const release_at = new Date(Date.now() + 6000).toISOString()
  await patchTrack(draft.id, { release_at, release_zone: 'Europe/Berlin' })
  expect(await page.getByText('Coming Soon').count()).toBe(0)
  await page.getByText('Coming Soon').first().waitFor()
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(release_at))
  expect(problems).toEqual([])
})

test('schedules a track in a time zone chosen by the admin', async () => {
  const draft = await publishTrack(stage.owner, makeWav(3, 300), {
    title: 'From The Form',
    is_published: false,
  })
  const owner = { ...admin, id: '' }
  const path = `/admin/tracks?edit=${draft.id}`
  const { page, problems } = await openAs(stage.browser, stage, owner, path)
  const dialog = page.getByRole('dialog', { name: 'Edit Track' })
  await dialog.getByLabel('Publish on').fill('2090-11-27')
  await dialog.getByLabel('At', { exact: true }).fill('18:00')
  await dialog.getByLabel('Time zone').selectOption('America/New_York')
  await dialog.getByLabel('Early access for Premium (days)').fill('7')
  expect(await findViolations(page), 'form').toEqual([])
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await page.getByText(/^Scheduled · Nov 27, 2090, 6:00\sPM/).waitFor()
  const { body } = await stage.owner.send('GET', `/api/admin-tracks/${draft.id}`)
  expect(body).toMatchObject({
    release_at: '2090-11-27T23:00:00.000Z',
    release_zone: 'America/New_York',
    early_access_days: 7,
    is_published: false,
  })
  expect(await findViolations(page), 'table').toEqual([])
  expect(problems).toEqual([])
})

test('says who can listen to a restricted track, and plays its preview', async () => {
  const early = await publishTrack(stage.owner, makeWav(60, 360), { title: 'Early Light' })
  const only = await publishTrack(stage.owner, makeWav(60, 380), { title: 'Gold Room' })
  await patchTrack(early.id, { early_access_days: 7 })
  await patchTrack(only.id, { audience: 'premium' })
  const { body } = await stage.owner.send('POST', '/api/admin-playlists', {
    action: 'create',
    title: 'For Premium',
    audience: 'premium',
  })
  const { id: playlistId } = body['playlist'] as { id: string }
  await stage.owner.send('POST', '/api/admin-playlists', {
    action: 'update',
    id: playlistId,
    track_ids: [early.id],
  })

  const free = await makePerson(stage.owner, 'listening', 'free')
  const { page, problems } = await openAs(stage.browser, stage, free, '/browse')
  await page
    .getByText(/^For everyone from /)
    .first()
    .waitFor()
  await page.getByText('Premium only').first().waitFor()
  await page.getByRole('button', { name: /^Play Gold Room by/ }).click()
  await page.getByText('Preview Mode (45s)').waitFor()
  await page.getByText('This is for Premium members only.').waitFor()
  expect(await findViolations(page), 'browse').toEqual([])

  await page.goto(`${stage.url}/my-playlists/${playlistId}`)
  await page.getByText('A playlist for Premium').waitFor()
  expect(await page.getByText('Early Light').count()).toBe(0)
  expect(await findViolations(page), 'playlist').toEqual([])

  const premium = await makePerson(stage.owner, 'paying', 'premium')
  const other = await openAs(stage.browser, stage, premium, `/my-playlists/${playlistId}`)
  await other.page.getByRole('button', { name: /^Play Early Light by/ }).waitFor()
  expect([...problems, ...other.problems]).toEqual([])
})
