// Browse as people of both plans use it: filters, likes, search, share, add to playlist, what was heard.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiClient, publishTrack } from './api-client.ts'
import { findBarriers, listen } from './browser.ts'
import { makeWav } from './make-wav.ts'
import { insertPlaylist, insertTracks } from './many-tracks.ts'
import { makePerson, openAs, seeToast } from './people.ts'
import { setStage, type Stage } from './stage.ts'

let stage: Stage
let trackIds: string[]
let audibleId: string

beforeAll(async () => {
  stage = await setStage()
  await stage.owner.send('POST', '/api/admin-categories', {
    category: 'Focus',
    display_name: 'Focus',
  })
  const heard = await publishTrack(stage.owner, makeWav(12, 330), {
    title: 'Audible',
    category: 'focus',
    artist: 'The Night Shift',
  })
  audibleId = heard.id
  trackIds = await insertTracks(stage.dataDir, 3000)
})

afterAll(() => stage.close())

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })
const rows = (page: Page, name = 'All Tracks') => page.getByRole('list', { name })

test('filters, likes, search and views work together, as the specification has them', async () => {
  const person = await makePerson(stage.owner, 'listener', 'free')
  const { page, problems } = await openAs(stage.browser, stage, person, '/browse')
  await page.getByText('3,001 tracks').waitFor()
  await rows(page).getByText('Audible').waitFor()

  await button(page, 'Focus').click()
  await rows(page, 'Focus').getByText('Audible').waitFor()
  await page.getByText('1 track', { exact: true }).waitFor()
  await button(page, 'Focus').click()
  await page.getByText('3,001 tracks').waitFor()
  await button(page, 'Focus').click()
  await page.waitForURL(/category=focus/)
  await button(page, 'Liked').click()
  await page.waitForURL((url) => url.search === '?view=liked')
  await page.getByText('No tracks found').waitFor()
  expect(await findBarriers(page), 'no likes').toEqual([])

  await button(page, 'All Tracks').click()
  await button(page, 'Like Audible').click()
  await seeToast(page, 'Added to liked tracks')
  await button(page, 'Liked').click()
  await rows(page, 'Liked').getByText('Audible').waitFor()
  await page.getByPlaceholder('Search tracks...').fill('long')
  await page.getByText('No tracks found').waitFor()
  await page.getByPlaceholder('Search tracks...').fill('NIGHT')
  await rows(page, 'Liked').getByText('Audible').waitFor()
  await rows(page, 'Liked').getByRole('button', { name: 'Like Audible' }).click()
  await seeToast(page, 'Removed from liked tracks')
  await page.getByText('No tracks found').waitFor()

  await button(page, 'All Tracks').click()
  // Far beyond the first 50: the server searches the whole catalogue.
  await page.getByPlaceholder('Search tracks...').fill('long 2987')
  await rows(page).getByText('Long 2987', { exact: true }).waitFor()
  await page.getByText('1 track', { exact: true }).waitFor()
  expect(await page.getByRole('heading', { name: 'Recently played' }).count()).toBe(0)
  await page.getByPlaceholder('Search tracks...').fill('')
  await page.getByText('3,001 tracks').waitFor()
  for (let part = 0; part < 3; part++) {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await expect
      .poll(() => page.evaluate(() => scrollY + innerHeight < document.body.scrollHeight - 2000), {
        timeout: 8000,
      })
      .toBe(true)
  }

  await page.evaluate(() => scrollTo(0, 0))
  await button(page, 'Playlists').click()
  await page.getByText('No playlists yet').waitFor()
  expect(await findBarriers(page), 'playlists').toEqual([])
  await page.getByRole('link', { name: 'New Playlist' }).click()
  await page.waitForURL(`${stage.url}/my-playlists`)
  expect(problems).toEqual([])
  await page.context().close()
})

test('adding from Browse: a new playlist, one that is there, twice, and one too many', async () => {
  const person = await makePerson(stage.owner, 'adder', 'free')
  for (const width of [1440, 390]) {
    const { page, problems } = await openAs(stage.browser, stage, person, '/browse', {
      width,
      colorScheme: width === 390 ? 'light' : 'dark',
    })
    const openMenu = async (title: string) => {
      const row = rows(page).getByRole('listitem').filter({ hasText: title }).first()
      await row
        .getByRole('button', { name: width === 390 ? `More for ${title}` : 'Add to playlist' })
        .click()
      await page.getByRole('menuitem', { name: 'New playlist' }).waitFor()
    }
    await openMenu('Audible')
    expect(await findBarriers(page), `menu ${width}`).toEqual([])
    await page.getByRole('menuitem', { name: 'New playlist' }).click()
    if (width === 1440) {
      await page.getByLabel('Title').fill('From Browse')
      await button(page, 'Create Playlist').click()
      await seeToast(page, 'Playlist created successfully')
      await seeToast(page, 'Track added to playlist!')
    } else {
      await page.getByRole('dialog', { name: '🔒 Upgrade to Premium' }).waitFor()
      expect(await findBarriers(page), 'upgrade').toEqual([])
      await button(page, 'Not Now').click()
    }
    await openMenu('Audible')
    await page.getByRole('menuitem', { name: /From Browse/ }).click()
    await seeToast(page, 'Track already in playlist')
    expect(problems).toEqual([])
    await page.context().close()
  }
  const { page } = await openAs(stage.browser, stage, person, '/browse')
  const adder = createApiClient(stage.url)
  await adder.signIn(person)
  const { body } = await adder.send('GET', '/api/playlists')
  const [playlist] = body['data'] as { id: string }[]
  for (const track_id of trackIds.slice(10, 19)) {
    await adder.send('POST', `/api/playlists/${playlist!.id}/tracks`, { track_id })
  }
  await rows(page)
    .getByRole('listitem')
    .nth(1)
    .getByRole('button', { name: 'Add to playlist' })
    .click()
  await page.getByRole('menuitem', { name: /From Browse/ }).click()
  await page
    .getByRole('dialog', { name: '🔒 Upgrade to Premium' })
    .getByText('Free users can add up to 10 tracks per playlist. Upgrade for unlimited tracks!')
    .waitFor()
  await page.context().close()
})

test('a shared link is really copied, and opens the track', async () => {
  const person = await makePerson(stage.owner, 'sharer', 'free')
  const { page, problems } = await openAs(stage.browser, stage, person, '/browse')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await button(page, 'Share Audible').click()
  await seeToast(page, 'Share link copied to clipboard!')
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toBe(`${stage.url}/browse?track=${audibleId}`)
  await page.goto(link)
  await page.getByRole('region', { name: 'Shared track' }).getByText('Audible').waitFor()
  expect(problems).toEqual([])
  await page.context().close()
})

test('what was heard stands in the row of what was played lately, one key away', async () => {
  const person = await makePerson(stage.owner, 'returner', 'premium')
  const { page, problems } = await openAs(stage.browser, stage, person, '/browse')
  await page.getByText('What you listen to waits for you here.').waitFor()
  await button(page, 'Play Audible by The Night Shift').click()
  await expect.poll(async () => (await listen(page))?.isPlaying, { timeout: 8000 }).toBe(true)
  const row = page.getByRole('region', { name: 'Recently played' })
  // The server lists it after five seconds of it.
  await row.getByText('Audible').waitFor({ timeout: 15_000 })
  expect(await findBarriers(page)).toEqual([])
  await page.reload()
  const again = row.getByRole('button', { name: 'Play Audible by The Night Shift' })
  await again.focus()
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await listen(page))?.isPlaying, { timeout: 8000 }).toBe(true)
  expect(problems).toEqual([])
  await page.context().close()
})

test('deep in a long list, a track that is renamed or withdrawn changes in view', async () => {
  const person = await makePerson(stage.owner, 'scroller', 'premium')
  const { page, problems } = await openAs(stage.browser, stage, person, '/browse')
  await rows(page).getByText('Audible').waitFor()
  // Past ten pages: 50, and then 200 each.
  await expect
    .poll(
      async () => {
        await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
        return rows(page).getByText('Long 2450', { exact: true }).count()
      },
      { timeout: 30_000, interval: 50 },
    )
    .toBe(0)
  await expect
    .poll(
      async () => {
        await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
        return page.evaluate(() => document.body.scrollHeight)
      },
      { timeout: 30_000, interval: 50 },
    )
    .toBeGreaterThan(2600 * 64)
  await page.evaluate(() => scrollTo(0, 2500 * 64))
  await rows(page).getByText('Long 2500', { exact: true }).waitFor()
  const at = await page.evaluate(() => scrollY)
  const renamed = await stage.owner.send('PATCH', `/api/admin-tracks/${trackIds[2499]}`, {
    title: 'Renamed just now',
  })
  expect(renamed.status).toBe(200)
  await rows(page).getByText('Renamed just now').waitFor({ timeout: 8000 })
  await stage.owner.send('POST', `/api/admin-tracks/${trackIds[2500]}/unpublish`)
  await rows(page).getByText('Long 2501', { exact: true }).waitFor({ state: 'detached' })
  expect(Math.abs((await page.evaluate(() => scrollY)) - at)).toBeLessThan(2)

  // A hand that turns the wheel and clicks, without moving, means the row that it sees.
  const play = rows(page).getByRole('button', { name: /^Play Long 2506 / })
  const { x, y, width, height } = (await play.boundingBox())!
  await page.mouse.move(x + width / 2, y + height / 2)
  const before = await page.evaluate(() => scrollY)
  await page.mouse.wheel(0, 128)
  await expect.poll(() => page.evaluate(() => scrollY), { interval: 10 }).toBe(before + 128)
  await page.mouse.down()
  await page.mouse.up()
  await rows(page)
    .getByRole('button', { name: /^Pause Long 2508 / })
    .waitFor()
  expect(problems).toEqual([])
  await page.context().close()
})

test('curated and public playlists stand under one’s own, and open read-only', async () => {
  const other = await makePerson(stage.owner, 'other', 'premium')
  const id = await insertPlaylist(stage.dataDir, {
    email: other.email,
    title: 'Open to all',
    trackIds: trackIds.slice(0, 3),
  })
  const author = createApiClient(stage.url)
  await author.signIn(other)
  await author.send('PATCH', `/api/playlists/${id}`, { is_public: true })
  const person = await makePerson(stage.owner, 'visitor', 'free')
  const { page, problems } = await openAs(stage.browser, stage, person, '/browse?view=playlists')
  const open = page.getByRole('region', { name: 'Public playlists' })
  await open.getByRole('link', { name: /Open to all/ }).click()
  await page.waitForURL(`${stage.url}/my-playlists/${id}`)
  await page
    .getByRole('list', { name: 'Tracks of Open to all' })
    .getByText('slow, warm')
    .first()
    .waitFor({ state: 'attached' })
  expect(await page.getByRole('link', { name: 'Edit', exact: true }).count()).toBe(0)
  expect(await findBarriers(page)).toEqual([])
  await page.goto(`${stage.url}/playlist/${id}`)
  await page.getByRole('heading', { name: 'Playlist not found' }).waitFor()
  expect(problems).toEqual([])
  await page.context().close()
})
