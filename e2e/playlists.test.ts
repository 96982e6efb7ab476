// Tests My Playlists, the page of a playlist, and Edit Playlist, for Free and Premium members on desktop and phone.
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiClient, publishTrack } from './harness/api-client.ts'
import { findViolations, readPlayingSound } from './harness/browser.ts'
import { makeWav } from './harness/make-wav.ts'
import { insertPlaylist, insertTracks } from './harness/many-tracks.ts'
import { makePerson, openAs, expectToast, setTier } from './harness/people.ts'
import { setStage, type Stage } from './harness/stage.ts'

let stage: Stage
/** In the order of Browse: one track with audio, then `Long 1`, `Long 2` and so on, without. */
let trackIds: string[]

beforeAll(async () => {
  stage = await setStage()
  const heard = await publishTrack(stage.owner, makeWav(12, 330), { title: 'Audible' })
  trackIds = [heard.id, ...(await insertTracks(stage.dataDir, 19_999))]
})

afterAll(() => stage.close())

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })

/** Checks that the focus has moved to this control after the focused row was removed. Otherwise it would be lost. */
async function expectFocus(page: Page, name: string): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe(name)
}

/** Waits for the dialog that tells a free member about a limit, and closes it. */
async function closeLimitDialog(page: Page, title: string, message: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.getByText(message, { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Upgrade Now' }).waitFor()
  await dialog.getByRole('button', { name: 'Not Now' }).click()
  await dialog.waitFor({ state: 'hidden' })
}

/** Moves a row down by keyboard in steps of 25 px, and checks the position that is announced. */
async function carryDown(page: Page, title: string, steps: number, place: string): Promise<void> {
  // Search only in this list, because the queue panel has handles with the same names.
  const list = page.getByRole('list', { name: 'Tracks in this playlist' })
  const handle = list.getByRole('button', { name: `Move ${title}`, exact: true })
  // Measure from the top of the page, because the page may scroll during the drag.
  const topPx = () =>
    handle.evaluate((element) => Math.round(element.getBoundingClientRect().top + scrollY))
  await handle.focus()
  await page.keyboard.press('Space')
  await page.getByText(`Picked up ${title}, position 1 `).waitFor({ state: 'attached' })
  const startPx = await topPx()
  for (let step = 1; step <= steps; step++) {
    await page.keyboard.press('ArrowDown')
    await expect.poll(topPx).toBe(startPx + 25 * step)
  }
  await page.getByText(`${title} is at ${place}.`).waitFor({ state: 'attached' })
  await page.keyboard.press('Space')
  await page.getByText(`${title} was dropped at ${place}.`).waitFor({ state: 'attached' })
}

/** Waits until the element doesn't move any more, and returns its position. */
async function waitForStillBox(locator: Locator) {
  let box = (await locator.boundingBox())!
  await expect
    .poll(async () => {
      const before = box
      box = (await locator.boundingBox())!
      return box.y - before.y
    })
    .toBe(0)
  return box
}

const playlistLimit =
  'Free users can create 1 playlist with up to 10 tracks. Upgrade for unlimited playlists!'
const trackLimit = 'Free users can add up to 10 tracks per playlist. Upgrade for unlimited tracks!'
const picture = {
  name: 'cover.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAGUlEQVQokWNY5eJCEmIY1eAyGkqrhmvSAAAUizIQ28+QVwAAAABJRU5ErkJggg==',
    'base64',
  ),
}

for (const width of [1440, 390]) {
  test(`lets a free member create, fill, change and delete a playlist, at ${width} px`, async () => {
    const person = await makePerson(stage.owner, `free-${width}`, 'free')
    const colorScheme = width === 390 ? 'light' : 'dark'
    const { page, problems } = await openAs(stage.browser, stage, person, '/my-playlists', {
      width,
      colorScheme,
    })
    await page.getByText('No playlists yet').waitFor()
    expect(await findViolations(page), 'empty').toEqual([])
    await button(page, 'New Playlist').first().click()
    const dialog = page.getByRole('dialog', { name: 'Create Playlist' })
    await dialog.getByLabel('Title').fill('   ')
    await dialog.getByRole('button', { name: 'Create Playlist' }).click()
    await dialog.getByText('Title is required').waitFor()
    expect(await findViolations(page), 'create dialog').toEqual([])
    await dialog.getByLabel('Title').fill('Evening')
    await dialog.getByLabel('Title').press('Enter')
    await expectToast(page, 'Playlist created successfully')

    await page.getByRole('button', { name: /^Evening/ }).waitFor()
    // The button is aria-disabled. A click on it opens a dialog with the reason.
    await button(page, 'New Playlist').click({ force: true })
    await closeLimitDialog(page, '🔒 Upgrade to Premium', playlistLimit)

    await page.getByRole('button', { name: /^Evening/ }).click()
    await page.getByText('0/10 tracks used').waitFor()
    await page.getByText('Private', { exact: true }).first().waitFor()
    await button(page, 'Add Track').first().click()
    const picker = page.getByRole('dialog', { name: 'Add Track' })
    await picker.getByPlaceholder('Search tracks...').fill('Long 1999')
    for (let number = 0; number < 10; number++) {
      await picker.getByRole('button', { name: `Add Long 1999${number}`, exact: true }).click()
      await picker.getByText('Added', { exact: true }).nth(number).waitFor()
    }
    await expectToast(page, 'Track added to playlist!')
    expect(await findViolations(page), 'Add Track').toEqual([])
    await picker.getByRole('button', { name: 'Add Long 1999', exact: true }).click()
    await closeLimitDialog(page, '🔒 Upgrade to Premium', trackLimit)
    await picker.getByRole('button', { name: 'Done' }).click()
    await page.getByText('10/10 tracks used').waitFor()
    await button(page, 'Add Track').first().click()
    await closeLimitDialog(page, '🔒 Upgrade to Premium', trackLimit)

    const rows = page.getByRole('list', { name: 'Tracks of Evening' })
    await rows.getByRole('button', { name: 'Remove Long 19990' }).click()
    const question = page.getByRole('alertdialog', { name: 'Remove Track?' })
    expect(await findViolations(page), 'Remove Track?').toEqual([])
    await question.getByRole('button', { name: 'Remove' }).click()
    await expectToast(page, 'Track removed from playlist')
    await page.getByText('9/10 tracks used').waitFor()
    await expectFocus(page, 'Remove Long 19991')

    await button(page, 'Edit').click()
    await page.locator('input[type=file]').setInputFiles(picture)
    await expectToast(page, 'Cover updated successfully')
    await page.getByLabel('Title').fill('')
    await button(page, 'Save Changes').click()
    await page.getByText('Title is required').waitFor()
    await page.getByLabel('Title').fill('Late evening')
    await page.getByRole('switch', { name: 'Public' }).setChecked(true)
    expect(await findViolations(page), 'editing').toEqual([])
    await button(page, 'Save Changes').click()
    await expectToast(page, 'Playlist updated successfully')
    await page.getByText('Public', { exact: true }).first().waitFor()
    expect(await findViolations(page), 'opened').toEqual([])

    await button(page, 'Delete').click()
    const deletion = page.getByRole('alertdialog', { name: 'Are you sure?' })
    await deletion.getByText('permanently delete this playlist and all its tracks').waitFor()
    await deletion.getByRole('button', { name: 'Delete' }).click()
    await expectToast(page, 'Playlist deleted successfully')
    await page.getByText('No playlists yet').waitFor()
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    expect(isWide, 'sideways scroll').toBe(false)
    expect(problems).toEqual([])
    await page.context().close()
  })
}

test("offers every action on a track of the member's own playlist, in both views", async () => {
  const person = await makePerson(stage.owner, 'own-menus', 'premium')
  const id = await insertPlaylist(stage.dataDir, {
    email: person.email,
    title: 'Menus',
    trackIds: trackIds.slice(1, 6),
  })
  const { page, problems } = await openAs(stage.browser, stage, person, '/')
  const rows = page.getByRole('list', { name: 'Tracks of Menus' })
  const removeFirst = async (first: string, next: string) => {
    await rows.getByText(first, { exact: true }).click({ button: 'right' })
    const menu = page.getByRole('menu', { name: first, exact: true })
    expect((await menu.getByRole('menuitem').allInnerTexts()).slice(0, 10)).toEqual([
      'Play next',
      'Add to queue',
      'Like',
      'Start radio',
      'Download',
      'Share',
      'Go to artist',
      'Select',
      'Remove from this playlist',
      'New playlist',
    ])
    await menu.getByRole('menuitem', { name: 'Remove from this playlist' }).click()
    const question = page.getByRole('alertdialog', { name: 'Remove Track?' })
    await question.getByRole('button', { name: 'Remove' }).click()
    await expectToast(page, 'Track removed from playlist')
    await rows.getByText(first, { exact: true }).waitFor({ state: 'detached' })
    await expectFocus(page, `More for ${next}`)
  }
  await page.goto(`${stage.url}/my-playlists?playlist=${id}`)
  await removeFirst('Long 1', 'Long 2')
  await page.goto(`${stage.url}/my-playlists/${id}`)
  await removeFirst('Long 2', 'Long 3')
  expect(problems).toEqual([])
  await page.context().close()
})

test('saves nothing on the edit page until Save Changes is clicked, and warns before changes are lost', async () => {
  const person = await makePerson(stage.owner, 'editor', 'free')
  const id = await insertPlaylist(stage.dataDir, {
    email: person.email,
    title: 'Nine',
    trackIds: trackIds.slice(1, 10),
  })
  const { page, problems } = await openAs(stage.browser, stage, person, '/my-playlists')
  await page.getByRole('button', { name: /^Nine/ }).click()
  await page.getByRole('link', { name: 'Reorder', exact: true }).click()
  await page.waitForURL(`${stage.url}/playlist/${id}`)
  const names = () =>
    page
      .getByRole('button', { name: /^Move / })
      .evaluateAll((handles) =>
        handles
          .map((handle) => handle.getAttribute('aria-label')!.replace('Move ', ''))
          .slice(0, 3),
      )
  await expect.poll(names).toEqual(['Long 1', 'Long 2', 'Long 3'])

  const box = page.getByPlaceholder('Search tracks...')
  await box.fill('LONG 1')
  await box.press('Enter')
  const results = page.getByRole('list', { name: 'Search results' })
  await results.getByRole('button', { name: 'Add Long 10', exact: true }).waitFor()
  expect(await results.getByRole('listitem').count()).toBe(20)
  expect(await results.getByRole('button', { name: 'Add Long 1', exact: true }).count()).toBe(0)
  await results.getByRole('button', { name: 'Add Long 10', exact: true }).click()
  await expectToast(page, 'Track added')
  await results.getByRole('button', { name: 'Add Long 11', exact: true }).click()
  await closeLimitDialog(page, 'Track Limit Reached', trackLimit)
  expect(await findViolations(page), 'edit page').toEqual([])
  await box.fill('')
  await results.waitFor({ state: 'detached' })

  // Move a row by keyboard.
  await carryDown(page, 'Long 1', 2, 'position 2 of 10')
  await expect.poll(names).toEqual(['Long 2', 'Long 1', 'Long 3'])

  // Move a row by mouse: drag the first one below the third.
  const from = await waitForStillBox(page.getByRole('button', { name: 'Move Long 2', exact: true }))
  const to = await waitForStillBox(page.getByRole('button', { name: 'Move Long 3', exact: true }))
  await page.mouse.move(from.x + 20, from.y + 20)
  await page.mouse.down()
  await page.mouse.move(from.x + 20, from.y + 40, { steps: 4 })
  await page.mouse.move(to.x + 20, to.y + 22, { steps: 8 })
  // Move the mouse by one pixel until the drag takes effect. Rows that were still animating when it arrived need
  // another event.
  let moves = 0
  await expect
    .poll(async () => {
      await page.mouse.move(to.x + 20, to.y + 22 + (moves++ % 2))
      return page.getByText('Long 2 is at position 3 of 10.').count()
    })
    .toBe(1)
  await page.mouse.up()
  await expect.poll(names).toEqual(['Long 1', 'Long 3', 'Long 2'])
  await page.getByText('Unsaved changes').waitFor()

  const leaving = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  const stay = async () => {
    await leaving.getByRole('button', { name: 'Stay' }).click()
    await leaving.waitFor({ state: 'hidden' })
  }
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await stay()
  await page.goBack()
  await stay()
  const asked = new Promise<string>((resolve) => {
    page.once('dialog', (dialog) => {
      resolve(dialog.type())
      void dialog.dismiss()
    })
  })
  await page.evaluate(() => setTimeout(() => location.reload()))
  expect(await asked).toBe('beforeunload')

  await button(page, 'Save Changes').click()
  await expectToast(page, 'Changes saved successfully')
  await page.getByText('All changes saved').waitFor()
  await page.reload()
  await expect.poll(names).toEqual(['Long 1', 'Long 3', 'Long 2'])
  await button(page, 'Remove Long 1').click()
  await expectToast(page, 'Track removed')
  await expectFocus(page, 'Remove Long 3')
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await leaving.getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL(`${stage.url}/`)
  const editor = createApiClient(stage.url)
  await editor.signIn(person)
  const { body } = await editor.send('GET', `/api/playlists/${id}/tracks`)
  expect((body['data'] as { track: { id: string } }[]).map(({ track }) => track.id)).toEqual(
    [1, 3, 2, 4, 5, 6, 7, 8, 9, 10].map((number) => trackIds[number]),
  )

  await page.goto(`${stage.url}/playlist/${trackIds[0]}`)
  await page.getByRole('heading', { name: 'Playlist not found' }).waitFor()
  expect(problems).toEqual([])
  await page.context().close()
})

test('reorders rows by touch on a phone', async () => {
  const person = await makePerson(stage.owner, 'finger', 'free')
  const id = await insertPlaylist(stage.dataDir, {
    email: person.email,
    title: 'Touch',
    trackIds: trackIds.slice(1, 4),
  })
  const { page } = await openAs(stage.browser, stage, person, `/playlist/${id}`, { width: 390 })
  const handle = page.getByRole('button', { name: 'Move Long 1', exact: true })
  await handle.scrollIntoViewIfNeeded()
  await page.getByRole('button', { name: 'Move Long 3', exact: true }).scrollIntoViewIfNeeded()
  const { x, y } = (await handle.boundingBox())!
  const touch = await page.context().newCDPSession(page)
  const put = (type: 'touchStart' | 'touchMove' | 'touchEnd', downPx: number) =>
    touch.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: x + 20, y: y + 20 + downPx }],
    })
  await put('touchStart', 0)
  for (let downPx = 10; downPx <= 70; downPx += 10) await put('touchMove', downPx)
  await page.getByText('Long 1 is at position 2 of 3.').waitFor({ state: 'attached' })
  await put('touchEnd', 70)
  await expect
    .poll(() =>
      page
        .getByRole('button', { name: /^Move / })
        .first()
        .getAttribute('aria-label'),
    )
    .toBe('Move Long 2')
  expect(await findViolations(page)).toEqual([])
  await page.context().close()
})

test('keeps playlists above the limit readable and playable after Premium ends, but adds no more tracks', async () => {
  const person = await makePerson(stage.owner, 'lapsed', 'premium')
  const ids: string[] = []
  for (const title of ['One', 'Two', 'Three']) {
    ids.push(
      await insertPlaylist(stage.dataDir, {
        email: person.email,
        title,
        trackIds: trackIds.slice(0, 30),
      }),
    )
  }
  await setTier(stage.owner, person, 'free')
  const { page, problems } = await openAs(stage.browser, stage, person, '/my-playlists')
  for (const title of ['One', 'Two', 'Three']) {
    await page.getByRole('button', { name: new RegExp(`^${title}.*30 tracks`) }).waitFor()
  }
  await button(page, 'New Playlist').click({ force: true })
  await closeLimitDialog(page, '🔒 Upgrade to Premium', playlistLimit)
  await page.getByRole('button', { name: /^Two/ }).click()
  await page.getByText('30/10 tracks used').waitFor()
  await page.getByText('Audible').first().waitFor()
  await button(page, 'Add Track').first().click()
  await closeLimitDialog(page, '🔒 Upgrade to Premium', trackLimit)
  await button(page, 'Play All').click()
  await expect.poll(async () => (await readPlayingSound(page))?.seconds ?? 0).toBeGreaterThan(0.3)

  const lapsed = createApiClient(stage.url)
  await lapsed.signIn(person)
  const more = await lapsed.send('POST', `/api/playlists/${ids[0]}/tracks`, {
    track_id: trackIds[40],
  })
  expect([more.status, (more.body['error'] as { code: string }).code]).toEqual([
    403,
    'track_limit_reached',
  ])
  expect((await lapsed.send('GET', `/api/playlists/${ids[0]}/tracks`)).body['total']).toBe(30)
  expect(problems).toEqual([])
  await page.context().close()
})

test('opens, scrolls, plays, shuffles, reorders and saves a playlist of 20,000 tracks', async () => {
  const person = await makePerson(stage.owner, 'collector', 'premium')
  const id = await insertPlaylist(stage.dataDir, {
    email: person.email,
    title: 'Everything',
    trackIds,
  })
  const { page, problems } = await openAs(stage.browser, stage, person, `/my-playlists/${id}`)
  const list = page.getByRole('list', { name: 'Tracks of Everything' })
  await list.getByText('Audible').waitFor()
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await list.getByText('Long 19999', { exact: true }).waitFor()
  expect(await list.getByRole('listitem').count()).toBeLessThan(60)

  await page.evaluate(() => scrollTo(0, 0))
  await button(page, 'Play All').click()
  await expect.poll(async () => (await readPlayingSound(page))?.seconds ?? 0).toBeGreaterThan(0.3)
  // The queue contains the whole playlist. Shuffle must not stop the current track.
  await button(page, 'Queue').first().click()
  await page.getByText('20,000 tracks').last().waitFor()
  await page
    .getByRole('group', { name: 'Playback' })
    .getByRole('button', { name: 'Shuffle' })
    .click()
  expect(await readPlayingSound(page)).toMatchObject({ isPlaying: true })

  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await carryDown(page, 'Audible', 2, 'position 2 of 20000')
  await button(page, 'Save Changes').click()
  await expectToast(page, 'Changes saved successfully')
  const collector = createApiClient(stage.url)
  await collector.signIn(person)
  const { body } = await collector.send('GET', `/api/playlists/${id}/tracks?limit=2`)
  expect(body['total']).toBe(20_000)
  expect((body['data'] as { track: { id: string } }[]).map(({ track }) => track.id)).toEqual([
    trackIds[1],
    trackIds[0],
  ])
  expect(problems).toEqual([])
  await page.context().close()
})
