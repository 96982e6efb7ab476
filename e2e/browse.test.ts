// Tests Browse as a Free and as a Premium member: filters, likes, search, sharing, playlists, recently played.
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiClient, publishTrack } from './harness/api-client.ts'
import { findViolations, readPlayingSound } from './harness/browser.ts'
import { makeWav } from './harness/make-wav.ts'
import { insertPlaylist, insertTracks } from './harness/many-tracks.ts'
import { makePerson, openAs, expectToast } from './harness/people.ts'
import { setStage, type Stage } from './harness/stage.ts'

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

/**
 * Scrolls a row to just below the header, so that there is room for its menu. Waits until scrolling has ended, because
 * the list ignores the pointer while it scrolls.
 */
async function scrollToTop(page: Page, row: Locator): Promise<void> {
  // The scroll event fires in the next frame. After it, the list ignores the pointer for a moment.
  await row.evaluate((element) => {
    scrollBy(0, element.getBoundingClientRect().top - 150)
    return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })
  await expect.poll(() => page.locator('ul[data-scrolling]').count()).toBe(0)
}

test('combines filters, likes, search and views as specified', async () => {
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
  expect(await findViolations(page), 'no likes').toEqual([])
  // Without filters there is no Clear button.
  expect(await button(page, 'Clear filters').count()).toBe(0)
  await button(page, 'Browse all tracks').click()
  await page.getByText('3,001 tracks').waitFor()

  await button(page, 'Like Audible').click()
  await expectToast(page, 'Added to liked tracks')
  await button(page, 'Liked').click()
  await rows(page, 'Liked').getByText('Audible').waitFor()
  await page.getByPlaceholder('Search tracks...').fill('long')
  await page.getByText('No tracks found').waitFor()
  await page.getByPlaceholder('Search tracks...').fill('NIGHT')
  await rows(page, 'Liked').getByText('Audible').waitFor()
  await rows(page, 'Liked').getByRole('button', { name: 'Like Audible' }).click()
  await expectToast(page, 'Removed from liked tracks')
  await page.getByText('No tracks found').waitFor()

  await button(page, 'All Tracks').click()
  // The track is not among the loaded ones, so the server must search the whole catalogue.
  await page.getByPlaceholder('Search tracks...').fill('long 2987')
  await rows(page).getByText('Long 2987', { exact: true }).waitFor()
  await page.getByText('1 track', { exact: true }).waitFor()
  expect(await page.getByRole('tab', { name: 'Moods' }).count(), 'no shelves in a search').toBe(0)
  await page.getByPlaceholder('Search tracks...').fill('')
  await page.getByText('3,001 tracks').waitFor()
  for (let part = 0; part < 3; part++) {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await expect
      .poll(() => page.evaluate(() => scrollY + innerHeight < document.body.scrollHeight - 2000))
      .toBe(true)
  }

  await page.evaluate(() => scrollTo(0, 0))
  await button(page, 'Playlists').click()
  await page.getByText('No playlists yet').waitFor()
  expect(await findViolations(page), 'playlists').toEqual([])
  await page.getByRole('link', { name: 'New Playlist' }).click()
  await page.waitForURL(`${stage.url}/my-playlists`)
  expect(problems).toEqual([])
  await page.context().close()
})

test('adds a track to a new and to an existing playlist, and shows an error for a duplicate and at the limit', async () => {
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
    expect(await findViolations(page), `menu ${width}`).toEqual([])
    await page.getByRole('menuitem', { name: 'New playlist' }).click()
    if (width === 1440) {
      await page.getByLabel('Title').fill('From Browse')
      await button(page, 'Create Playlist').click()
      await expectToast(page, 'Playlist created successfully')
      await expectToast(page, 'Track added to playlist!')
    } else {
      await page.getByRole('dialog', { name: '🔒 Upgrade to Premium' }).waitFor()
      expect(await findViolations(page), 'upgrade').toEqual([])
      await button(page, 'Not Now').click()
    }
    await openMenu('Audible')
    await page.getByRole('menuitem', { name: /From Browse/ }).click()
    await expectToast(page, 'Track already in playlist')
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

test('copies the link of a track to the clipboard, which opens the track', async () => {
  const person = await makePerson(stage.owner, 'sharer', 'free')
  const { page, problems } = await openAs(stage.browser, stage, person, '/browse')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await button(page, 'Share Audible').click()
  await expectToast(page, 'Share link copied to clipboard!')
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toBe(`${stage.url}/t/audible`)
  await page.goto(link)
  await page.getByRole('heading', { name: 'Audible' }).waitFor()
  await page.goto(`${stage.url}/browse?track=${audibleId}`)
  await page.getByRole('region', { name: 'Shared track' }).getByText('Audible').waitFor()
  expect(problems).toEqual([])
  await page.context().close()
})

test('hides Recently Played while it is empty, and plays a track from it by keyboard', async () => {
  const person = await makePerson(stage.owner, 'returner', 'premium')
  const { page, problems } = await openAs(stage.browser, stage, person, '/browse')
  await rows(page).getByText('Audible').waitFor()
  const tab = page.getByRole('tab', { name: 'Recently played' })
  expect(await tab.count(), 'without history').toBe(0)
  await button(page, 'Play Audible by The Night Shift').click()
  await expect.poll(async () => (await readPlayingSound(page))?.isPlaying).toBe(true)
  // The server adds a track to the history once five seconds were played.
  const member = createApiClient(stage.url)
  await member.signIn(person)
  const recent = async () => (await member.send('GET', '/api/plays/recent')).body['data']
  await expect.poll(recent, { timeout: 15_000 }).toHaveLength(1)
  expect(await tab.count(), 'while the list is in view').toBe(0)
  await page.reload()
  await tab.click()
  const row = page.getByRole('tabpanel', { name: 'Recently played' })
  await row.getByText('Audible').waitFor()
  expect(await findViolations(page)).toEqual([])
  const again = row.getByRole('button', { name: 'Play Audible by The Night Shift' })
  await again.focus()
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await readPlayingSound(page))?.isPlaying).toBe(true)
  expect(problems).toEqual([])
  await page.context().close()
})

test('sorts rows, likes several at once, drops them on a playlist, and resumes that playlist later', async () => {
  const person = await makePerson(stage.owner, 'gatherer', 'premium')
  const playlistId = await insertPlaylist(stage.dataDir, {
    email: person.email,
    title: 'Gathered',
    trackIds: [audibleId],
  })
  const { page, problems } = await openAs(stage.browser, stage, person, '/browse')
  const row = (title: string) => rows(page).getByRole('listitem').filter({ hasText: title }).first()
  await row('Audible').waitFor()
  await page.getByRole('group', { name: 'Sort by' }).getByRole('button', { name: 'Title' }).click()
  await page.waitForURL(/order=title&direction=asc/)
  await row('Long 1').waitFor()
  await row('Long 1').click({ modifiers: ['Control'], position: { x: 250, y: 30 } })
  await rows(page)
    .getByRole('listitem')
    .nth(3)
    .click({ modifiers: ['Shift'], position: { x: 250, y: 30 } })
  const bar = page.getByRole('toolbar', { name: 'Selected tracks' })
  await bar.getByText(/^[34] selected$/).waitFor()
  expect(await findViolations(page), 'selection').toEqual([])
  await bar.getByRole('button', { name: 'Like', exact: true }).click()
  await expectToast(page, 'Added to liked tracks')
  await bar.waitFor({ state: 'detached' })

  const playlist = page
    .getByRole('complementary', { name: 'Your playlists' })
    .getByRole('link', { name: /Gathered/ })
  await row('Long 1').dragTo(playlist, { sourcePosition: { x: 250, y: 30 } })
  await expectToast(page, 'Track added to playlist!')
  await playlist.getByText('2 tracks').waitFor()

  await playlist.click()
  await page.waitForURL(`${stage.url}/my-playlists/${playlistId}`)
  await button(page, 'Play All').click()
  await expect.poll(async () => (await readPlayingSound(page))?.isPlaying).toBe(true)
  const member = createApiClient(stage.url)
  await member.signIn(person)
  const saved = async () => (await member.send('GET', '/api/home')).body['continue']
  await expect.poll(saved, { timeout: 30_000 }).toHaveLength(1)
  await page.goto(`${stage.url}/browse`)
  await page
    .getByRole('region', { name: 'Continue listening' })
    .getByRole('button', { name: /Gathered/ })
    // Click the cover, because the title is a link.
    .click({ position: { x: 28, y: 28 } })
  await expect.poll(async () => (await readPlayingSound(page))?.isPlaying).toBe(true)
  expect(problems).toEqual([])
  await page.context().close()
})

test('opens the menu of a track, with every action, by right click, More and the context menu key', async () => {
  const person = await makePerson(stage.owner, 'chooser', 'premium')
  const { page, problems } = await openAs(stage.browser, stage, person, '/browse')
  const row = rows(page).getByRole('listitem').filter({ hasText: 'Audible' })
  const menu = page.getByRole('menu', { name: 'Audible' })
  const actions = [
    'Play next',
    'Add to queue',
    'Like',
    'Start radio',
    'Download',
    'Share',
    'Copy embed code',
    'Go to artist',
    'Select',
    'New playlist',
  ]

  await scrollToTop(page, row)
  const title = (await row.getByText('Audible').boundingBox())!
  await page.mouse.click(title.x + 10, title.y + 5, { button: 'right' })
  expect(await menu.getByRole('menuitem').allInnerTexts()).toEqual(actions)
  const box = (await menu.boundingBox())!
  expect(Math.abs(box.x - title.x - 10), 'beside the pointer').toBeLessThan(12)
  expect(Math.abs(box.y - title.y - 5), 'below the pointer').toBeLessThan(12)
  expect(await findViolations(page), 'menu').toEqual([])
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  expect(await focused()).toBe('More for Audible')

  await row.getByRole('button', { name: /^Play Audible/ }).focus()
  await page.keyboard.press('Shift+F10')
  await menu.getByRole('menuitem', { name: 'Like', exact: true }).press('Enter')
  await expectToast(page, 'Added to liked tracks')
  expect(await focused()).toBe('Play Audible by The Night Shift')
  await button(page, 'More for Audible').click()
  await menu.getByRole('menuitem', { name: 'Unlike' }).waitFor()
  expect(await menu.getByRole('menuitem').allInnerTexts()).toEqual([
    'Play next',
    'Add to queue',
    'Unlike',
    'Start radio',
    'Download',
    'Share',
    'Copy embed code',
    'Go to artist',
    'Select',
    'New playlist',
  ])
  await button(page, 'More for Audible').click()
  await menu.waitFor({ state: 'detached' })

  // A second right click moves the menu to the other row.
  await rows(page).getByText('Long 1', { exact: true }).click({ button: 'right' })
  await page.getByRole('menu', { name: 'Long 1', exact: true }).waitFor()
  await row.getByText('Audible').click({ button: 'right' })
  await menu.getByRole('menuitem', { name: 'Play next' }).click()
  await expectToast(page, 'Playing next')
  expect(await page.getByRole('menu').count()).toBe(0)
  expect(problems).toEqual([])
  await page.context().close()
})

test("focuses the screen's search field when / is pressed, and opens the palette on screens without one", async () => {
  const person = await makePerson(stage.owner, 'seeker', 'premium')
  const { page, problems } = await openAs(stage.browser, stage, person, '/browse')
  await rows(page).getByText('Audible').waitFor()
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('placeholder'))
  await page.keyboard.press('/')
  await expect.poll(focused).toBe('Search tracks...')
  const palette = page.getByRole('button', { name: 'Find anything' })
  const paletteWidth = async () => (await palette.boundingBox())?.width
  await expect.poll(paletteWidth, { message: 'no second search box' }).toBeLessThanOrEqual(48)
  await page.goto(`${stage.url}/my-playlists`)
  await page.getByText('No playlists yet').waitFor()
  // The shortcuts are part of the player, which may load later than the screen.
  const pressSlash = async () => {
    await page.keyboard.press('/')
    return focused()
  }
  await expect.poll(pressSlash).toBe('Search playlists...')
  await page.goto(`${stage.url}/profile`)
  await page.getByRole('heading', { name: 'Account Settings' }).waitFor()
  await expect.poll(paletteWidth, { message: 'the only search box' }).toBeGreaterThan(120)
  await expect.poll(pressSlash).toBe('Tracks, playlists, screens…')
  expect(problems).toEqual([])
  await page.context().close()
})

test('shows an icon for how a track was made, with a text for screen readers', async () => {
  const person = await makePerson(stage.owner, 'reader', 'premium')
  const { page } = await openAs(stage.browser, stage, person, '/browse')
  const row = rows(page).getByRole('listitem').filter({ hasText: 'Audible' })
  await row.waitFor()
  expect(await row.ariaSnapshot()).toContain('AI-generated')
  // The text is visually hidden: at most 1 px wide.
  const textBox = (await row.getByText('AI-generated').boundingBox())!
  expect(textBox.width).toBeLessThanOrEqual(1)
  await page.goto(`${stage.url}/browse?track=${audibleId}`)
  const shared = page.getByRole('region', { name: 'Shared track' }).getByText('AI-generated')
  expect((await shared.boundingBox())!.width).toBeGreaterThan(60)
  await page.context().close()
})

test('opens the menu of a track on a long press, and the tap that closes it plays nothing', async () => {
  const person = await makePerson(stage.owner, 'presser', 'premium')
  const { page, problems } = await openAs(stage.browser, stage, person, '/browse', {
    width: 390,
  })
  const title = rows(page).getByText('Audible')
  await scrollToTop(page, title)
  const box = (await title.boundingBox())!
  const touch = await page.context().newCDPSession(page)
  const touchPoints = [{ x: Math.round(box.x + 10), y: Math.round(box.y + 5) }]
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
  const menu = page.getByRole('menu', { name: 'Audible' })
  await menu.getByRole('menuitem', { name: 'Play next' }).waitFor()
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  expect(await menu.count(), 'after the finger is lifted').toBe(1)
  await page.touchscreen.tap(box.x + 10, box.y + 5)
  await menu.waitFor({ state: 'detached' })
  expect(await page.getByRole('button', { name: /^Pause/ }).count()).toBe(0)
  // Once the menu is closed, a tap plays the row again.
  await page.touchscreen.tap(box.x + 10, box.y + 5)
  await button(page, 'Pause Audible by The Night Shift').waitFor()

  // The menu of a row near the bottom opens under the finger. Lifting the finger must not choose a menu item.
  const low = { x: 150, y: 640 }
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [low] })
  const lowMenu = page.getByRole('menu')
  await expect
    .poll(() => lowMenu.evaluate((element) => element.getBoundingClientRect().top))
    .toBeLessThan(low.y)
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await page.waitForTimeout(500)
  expect(await lowMenu.count(), 'after the finger is lifted').toBe(1)
  await lowMenu.getByRole('menuitem', { name: 'Play next' }).tap()
  await expectToast(page, 'Playing next')
  expect(problems).toEqual([])
  await page.context().close()
})

test('updates a renamed and an unpublished track while they are visible far down in a long list', async () => {
  const person = await makePerson(stage.owner, 'scroller', 'premium')
  const { page, problems } = await openAs(stage.browser, stage, person, '/browse')
  await rows(page).getByText('Audible').waitFor()
  // Scroll past ten pages. The first has 50 rows, the others have 200 each.
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
  await rows(page).getByText('Renamed just now').waitFor()
  await stage.owner.send('POST', `/api/admin-tracks/${trackIds[2500]}/unpublish`)
  await rows(page).getByText('Long 2501', { exact: true }).waitFor({ state: 'detached' })
  expect(Math.abs((await page.evaluate(() => scrollY)) - at)).toBeLessThan(2)

  // A click after a wheel scroll must hit the row under the pointer, even if the pointer hasn't moved. These tracks
  // have no audio files, and the player skips tracks that fail to load. Never respond to audio requests, so that the
  // clicked track stays the current one.
  await page.route(/\/stream/, () => undefined)
  await rows(page)
    .getByRole('button', { name: /^Play Long 2508 / })
    .waitFor()
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

test("lists curated and public playlists below the user's own ones, and opens them read-only", async () => {
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
  expect(await findViolations(page)).toEqual([])
  await page.goto(`${stage.url}/playlist/${id}`)
  await page.getByRole('heading', { name: 'Playlist not found' }).waitFor()
  expect(problems).toEqual([])
  await page.context().close()
})
