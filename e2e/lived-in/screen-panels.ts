// Dialogs, sheets, menus and panels of the player. Each has the URL of its screen and the steps that open it.
import type { Page } from 'playwright-core'
import { makeWav } from '../harness/make-wav.ts'
import type { LivedInWorld } from './lived-in-world.ts'
import type { Visitor } from './screen-samples.ts'
import { playerBar } from './screen-window.ts'

export interface Panel {
  name: string
  visitor: Visitor
  address: (world: LivedInWorld) => string
  open: (page: Page) => Promise<void>
}

type Step = (page: Page) => Promise<void>

const timeoutMs = 15_000

/** Clicks the first visible control with this name, because narrow and wide windows can show different ones. */
const press =
  (name: string | RegExp, role: 'button' | 'menuitem' | 'tab' | 'checkbox' = 'button'): Step =>
  (page) =>
    page
      .getByRole(role, { name, exact: typeof name === 'string' })
      .filter({ visible: true })
      .first()
      .click({ timeout: timeoutMs })

const key =
  (name: string): Step =>
  (page) =>
    page.keyboard.press(name)

const see =
  (selector: string): Step =>
  (page) =>
    page.locator(selector).filter({ visible: true }).first().waitFor({ timeout: timeoutMs })

const dialog = see('dialog[open]')
const menu = see('[role=menu]')

/** Opens a panel with its button in the player bar, which on a phone is in the full player. */
const playerPanel =
  (name: string): Step =>
  async (page) => {
    const onBar = playerBar(page)
      .getByRole('button', { name, exact: true })
      .filter({ visible: true })
    if ((await onBar.count()) === 0) {
      await fullPlayer(page)
      const full = page.getByRole('dialog', { name: 'Full player' })
      await full.getByRole('button', { name, exact: true }).click({ timeout: timeoutMs })
      await full.getByRole('region', { name }).waitFor({ timeout: timeoutMs })
      return
    }
    await onBar.click()
    await page.getByRole('complementary', { name }).waitFor({ timeout: timeoutMs })
  }

const fullPlayer: Step = async (page) => {
  await playerBar(page)
    .getByRole('button', { name: /^(Open full player|Full player)/ })
    .filter({ visible: true })
    .first()
    .click({ timeout: timeoutMs })
  await page.getByRole('dialog', { name: 'Full player' }).waitFor({ timeout: timeoutMs })
}

const openTopTrack: Step = (page) =>
  page
    .getByRole('table', { name: 'Top tracks in this period' })
    .getByRole('button')
    .first()
    .click({ timeout: timeoutMs })

/** Selects files whose content differs between windows, because duplicates are not uploaded. */
const chooseFiles: Step = async (page) => {
  const width = page.viewportSize()!.width
  const names = ['01 静かな夜.wav', '02 A rather long file name that somebody gave it.wav']
  await page.getByLabel('Files to upload').setInputFiles(
    names.map((name, index) => ({
      name,
      mimeType: 'audio/wav',
      buffer: makeWav(1, width + index),
    })),
  )
}

function panel(
  visitor: Visitor,
  name: string,
  address: string | Panel['address'],
  ...steps: Step[]
) {
  const open: Step = async (page) => {
    for (const step of steps) await step(page)
  }
  return { name, visitor, address: typeof address === 'string' ? () => address : address, open }
}

const ownPlaylist = ({ playlistIds }: LivedInWorld) =>
  `/my-playlists?playlist=${playlistIds.member[6]}`

export const panels: Panel[] = [
  panel('stranger', 'create account', '/auth', press('Create Account')),
  panel('member', 'queue', '/browse', playerPanel('Queue')),
  panel('member', 'lyrics', '/browse', playerPanel('Lyrics')),
  panel('member', 'sound and sleep timer', '/browse', playerPanel('Sound and sleep timer')),
  panel('member', 'full player', '/browse', fullPlayer),
  panel(
    'stranger',
    'share a page for everyone',
    ({ publicPaths }) => publicPaths[0]!,
    press('Share'),
    see('[popover]:popover-open'),
  ),
  panel('member', 'connect an app', '/profile', press('Connect an App'), dialog),
  panel('member', 'keyboard shortcuts', '/browse', key('?'), dialog),
  panel('member', 'command palette', '/browse', key('Control+k'), dialog),
  panel('member', 'menu of a track', '/browse', press(/^(More for|Add to playlist)/), menu),
  panel('member', 'new playlist', '/my-playlists', press('New Playlist'), dialog),
  panel('member', 'edit playlist', ownPlaylist, press('Edit')),
  panel('member', 'add a track to a playlist', ownPlaylist, press('Add Track'), dialog),
  panel('member', 'delete a playlist', ownPlaylist, press('Delete'), dialog),
  panel('member', 'share a playlist', ownPlaylist, press('Share'), dialog),
  panel(
    'member',
    'rules of a smart playlist',
    ({ smartPlaylistId }) => `/my-playlists?playlist=${smartPlaylistId}`,
    press('Edit Rules'),
    dialog,
  ),
  panel('admin', 'add a track', '/admin/library', press('Add Track'), dialog),
  panel(
    'admin',
    'edit a track',
    '/admin/tracks',
    press(/^Actions for /),
    press('Edit', 'menuitem'),
    dialog,
  ),
  panel('admin', 'menu of a track', '/admin/library', press(/^Actions for /), menu),
  panel('admin', 'selected tracks', '/admin/library', press(/^Select /, 'checkbox')),
  panel('admin', 'add a category', '/admin/categories', press('Add Category'), dialog),
  panel('admin', 'edit a category', '/admin/categories', press('Edit'), dialog),
  panel('admin', 'delete a category', '/admin/categories', press(/^Delete /), dialog),
  panel(
    'admin',
    'add tracks to a category',
    '/admin/categories/mood-1',
    press('Add Tracks'),
    dialog,
  ),
  panel('admin', 'new curated playlist', '/admin/playlists', press('Create Playlist'), dialog),
  panel('admin', 'add a genre', '/admin/genres', press('Add Genre'), dialog),
  panel('admin', 'add a user', '/admin/users', press('Add User'), dialog),
  panel('admin', 'invite a user', '/admin/users', press('Add User'), press('Invite', 'tab')),
  panel(
    'admin',
    'rows left out of a list of users',
    '/admin/users',
    press('Add User'),
    press('Invite Many', 'tab'),
    async (page) => {
      const rows = ['new@example.com,Neo', 'oops', 'person-7@example.com', `${'x'.repeat(150)}@`]
      await page.getByLabel('People', { exact: true }).fill(rows.join('\n'))
    },
    press('Check List'),
    see('dialog[open] [role=status]'),
  ),
  panel(
    'admin',
    'open invitations',
    '/admin/users',
    (page) => page.getByText(/^Open invitations/).click(),
    see('td button'),
  ),
  panel('admin', 'menu of a user', '/admin/users', press(/^Actions for person/), menu),
  panel(
    'admin',
    'ban a user',
    '/admin/users',
    press(/^Actions for person/),
    press('Ban', 'menuitem'),
    dialog,
  ),
  panel('admin', 'add a subscription', '/admin/billing', press('Add Manual Subscription'), dialog),
  panel('admin', 'payments of a user', '/admin/billing', press(/^Payments of /), dialog),
  panel('admin', 'audit changes', '/admin/audit', press(/^Show changes/), dialog),
  panel('admin', 'a track in Insights', '/admin/insights', openTopTrack, dialog),
  panel('admin', 'Stripe settings', '/admin/settings', press(/Stripe/, 'tab')),
  panel('admin', 'webhook test', '/admin/settings', press(/Webhook/, 'tab')),
  panel('admin', 'audit in settings', '/admin/settings', press(/Audit/, 'tab')),
  panel(
    'admin',
    'batch editor',
    '/admin/library/upload',
    chooseFiles,
    press(/^Details of 2/, 'tab'),
    see('[aria-label="Tracks"]'),
  ),
]
