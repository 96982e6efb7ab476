// Tests the smart playlist editor: rows are converted to rules, the preview updates, templates fill the rows.
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'
import { freeMember, mountApp, type Answers } from '../../testing/mount-app.tsx'
import { makePlaylist, playlistId, trackPage } from '../../testing/playlist-fixture.ts'
import { completeRules, toRulesDraft, templates } from './rules-draft.ts'

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.unstubAllGlobals()
})

const premium = { ...freeMember, is_premium: true }
const tracks = trackPage(2).data.map(({ track }) => track)
const smart = { ...makePlaylist(0), is_smart: true, rules: templates[1]!.rules }
const address = `/api/playlists/${playlistId}`

function open(path: string, answers: Answers = {}, member = premium) {
  return mountApp(
    path,
    {
      'GET /api/playlists': { data: [], next_cursor: null },
      'GET /api/categories': { data: [] },
      'POST /api/smart-playlists/preview': { total: 2, duration: 360, data: tracks },
      'POST /api/playlists': smart,
      [`GET ${address}`]: smart,
      [`GET ${address}/tracks`]: trackPage(0),
      ...answers,
    },
    member,
  )
}

test('converts rows to rules, previews them and creates the playlist', async () => {
  const { user, requests, router } = open('/my-playlists')
  await user.click(await screen.findByRole('button', { name: 'Smart Playlist' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New Smart Playlist' }))
  expect(await dialog.findByText(/^2 tracks/)).toBeDefined()
  await user.click(dialog.getByRole('button', { name: 'New this month' }))
  expect((dialog.getByLabelText('Title') as HTMLInputElement).value).toBe('New this month')
  await user.click(dialog.getByRole('button', { name: 'Add a rule' }))
  await user.selectOptions(dialog.getByLabelText('Field of Rules, rule 2'), 'duration')
  await user.clear(dialog.getByLabelText('Value of Rules, rule 2'))
  await user.type(dialog.getByLabelText('Value of Rules, rule 2'), '3')
  await user.selectOptions(dialog.getByLabelText('Match mode of Rules'), 'any')
  await user.selectOptions(dialog.getByLabelText('Order'), 'shortest')
  await user.click(dialog.getByRole('button', { name: 'Create Playlist' }))
  await waitFor(() => expect(router.state.location.search).toBe(`?playlist=${playlistId}`))
  const bodyOf = (operation: string) =>
    requests.findLast((request) => request.operation === operation)?.body
  expect(bodyOf('POST /api/playlists')).toEqual({
    title: 'New this month',
    rules: {
      match: 'all',
      groups: [
        {
          match: 'any',
          rules: [
            { kind: 'days', field: 'added', operator: 'in_last', value: 30 },
            { kind: 'number', field: 'duration', operator: 'at_most', value: 180 },
          ],
        },
      ],
      order: 'shortest',
      limit: 100,
    },
  })
})

test('shows an empty state, without buttons to add or reorder, when nothing matches', async () => {
  open(`/my-playlists?playlist=${playlistId}`)
  expect(await screen.findByText('No tracks match these rules yet')).toBeDefined()
  expect(screen.getByText(/Smart · /)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Add Track' })).toBeNull()
})

test('edits the rules of a playlist and previews that nothing matches', async () => {
  const { user, requests } = open(`/my-playlists?playlist=${playlistId}`, {
    'POST /api/smart-playlists/preview': { total: 0, duration: 0, data: [] },
    [`PATCH ${address}`]: smart,
  })
  await user.click(await screen.findByRole('button', { name: 'Edit Rules' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Rules' }))
  expect(await dialog.findByText('No tracks match these rules yet')).toBeDefined()
  await user.selectOptions(dialog.getByLabelText('Operator of Rules, rule 1'), 'since')
  await user.click(dialog.getByRole('button', { name: 'Save Rules' }))
  await waitFor(() =>
    expect(requests.find(({ operation }) => operation === `PATCH ${address}`)?.body).toMatchObject({
      rules: { groups: [{ rules: [{ kind: 'day', field: 'added', operator: 'since' }] }] },
    }),
  )
})

test('offers Premium to a free member who has a playlist, and a limit of ten tracks to one who has none', async () => {
  const { user, answers } = open('/my-playlists', {}, freeMember)
  await user.click(await screen.findByRole('button', { name: 'Smart Playlist' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New Smart Playlist' }))
  expect((dialog.getByLabelText('Track limit') as HTMLInputElement).value).toBe('10')
  expect(dialog.getByText('Up to 10 tracks with the Free plan')).toBeDefined()
  answers['GET /api/playlists'] = { data: [makePlaylist(1)], next_cursor: null }
  cleanup()
  const again = open('/my-playlists', answers, freeMember)
  await screen.findAllByText('Evening')
  await again.user.click(screen.getByRole('button', { name: 'Smart Playlist' }))
  expect(await screen.findByText('🔒 Upgrade to Premium', { selector: 'dialog *' })).toBeDefined()
})

test('omits rows that have no value, and returns the rules of each template unchanged', () => {
  for (const { rules } of templates) expect(completeRules(toRulesDraft(rules))).toEqual(rules)
  const empty = { kind: 'text', field: 'genre', operator: 'is', value: ' ' } as const
  const { rules } = templates[0]!
  const draft = toRulesDraft({
    ...rules,
    groups: [{ match: 'all', rules: [empty] }, ...rules.groups],
  })
  expect(completeRules(draft)).toEqual(rules)
  expect(
    completeRules(toRulesDraft({ ...rules, groups: [{ match: 'all', rules: [empty] }] })),
  ).toBeNull()
})

test('opens the rule editor at its URL, and shows the playlist after Cancel', async () => {
  const { user, router } = open(`/playlist/${playlistId}`)
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Rules' }))
  expect(screen.queryByText('Playlist not found')).toBeNull()
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(router.state.location.pathname).toBe(`/my-playlists/${playlistId}`))
})
