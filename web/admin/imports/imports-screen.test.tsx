// Tests what the Imports screen shows, and the decisions that it sends.
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { ImportItem, ImportSummary } from '#contract/admin/imports.ts'
import { freeMember, mountApp } from '../../testing/mount-app.tsx'
import { makeImportedTrack } from '../../testing/imported-track-fixture.ts'

const admin = { ...freeMember, role: 'admin' as const }
const id = '01a20306-0000-7000-8000-0000000000aa'
const one: ImportSummary = {
  id,
  format: 'files',
  name: 'suno.zip',
  server_url: null,
  status: 'asking',
  problem: null,
  created_at: '2026-11-25T10:00:00.000Z',
  finished_at: null,
  counts: { waiting: 0, done: 12, known: 1, failed: 0, left_out: 2 },
  can_retry: false,
  made: { playlists: 1 },
}
const item: ImportItem = {
  position: 4,
  kind: 'recording',
  path: 'a/Rain.wav',
  name: 'Rain.wav',
  status: 'known',
  decision: null,
  track_id: null,
  known: {
    id: '01a20306-0000-7000-8000-0000000000bb',
    title: 'Rain',
    artist: 'Mira',
    by: 'source',
  },
  reason: null,
}
const answers = {
  'GET /api/admin-imports': { data: [one] },
  [`GET /api/admin-imports/${id}/items`]: { data: [item], next_after: null },
  [`POST /api/admin-imports/${id}/decisions`]: { ...one, status: 'done' },
  [`GET /api/admin-track-batches/${id}`]: { data: [] },
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('lists recordings that are already in the library, and sends what to do with each', async () => {
  const { user, requests } = mountApp('/admin/library/import', answers, admin)
  const list = within(await screen.findByRole('list', { name: 'Recordings that need a decision' }))
  expect(list.getByText(/The same song, saved again/)).toBeDefined()
  expect(list.getByRole('link', { name: 'Rain' }).getAttribute('href')).toBe(
    `/admin/library?edit=${item.known!.id}`,
  )
  expect(
    screen.getByText(/12 imported · 1 already in the library · 2 skipped · 1 playlist/),
  ).toBeDefined()
  await user.click(list.getByRole('button', { name: 'Replace: Rain.wav' }))
  await waitFor(() =>
    expect(requests).toContainEqual({
      operation: `POST /api/admin-imports/${id}/decisions`,
      query: {},
      body: { decision: 'replace', positions: [4] },
    }),
  )
})

test('shows why an import failed, and an empty state if there are no imports', async () => {
  const problem = 'The archive contains a path outside the archive.'
  const failed = { ...one, status: 'failed', format: null, problem }
  mountApp(
    '/admin/library/import',
    { ...answers, 'GET /api/admin-imports': { data: [failed] } },
    admin,
  )
  expect(await screen.findByText(problem)).toBeDefined()
  cleanup()
  mountApp('/admin/library/import', { ...answers, 'GET /api/admin-imports': { data: [] } }, admin)
  expect(await screen.findByText('No imports yet.')).toBeDefined()
})

test('retries failed files, and shows the tracks of older imports on demand', async () => {
  const failed = { ...one, status: 'done', counts: { ...one.counts, failed: 3 }, can_retry: true }
  const older = { ...one, id: id.replace('aa', 'ab'), name: 'older.zip', status: 'done' }
  const { user, requests } = mountApp(
    '/admin/library/import',
    {
      ...answers,
      'GET /api/admin-imports': { data: [failed, older] },
      [`GET /api/admin-track-batches/${older.id}`]: { data: [] },
      [`POST /api/admin-imports/${id}/retry`]: { ...failed, status: 'waiting', can_retry: false },
    },
    admin,
  )
  await user.click(await screen.findByRole('button', { name: 'Retry' }))
  await waitFor(() =>
    expect(requests).toContainEqual({
      operation: `POST /api/admin-imports/${id}/retry`,
      query: {},
      body: {},
    }),
  )
  const ofOlder = `GET /api/admin-track-batches/${older.id}`
  expect(requests.some(({ operation }) => operation === ofOlder)).toBe(false)
  await user.click(screen.getByRole('button', { name: 'Show Tracks' }))
  await waitFor(() => expect(requests.some(({ operation }) => operation === ofOlder)).toBe(true))
})

test('starts an import from a server, lists its songs, and skips deselected songs', async () => {
  const listed: ImportSummary = {
    ...one,
    format: 'server',
    name: 'music.example',
    server_url: 'https://music.example',
    status: 'listed',
    counts: { waiting: 2, done: 0, known: 1, failed: 0, left_out: 0 },
    made: {},
  }
  const songs = [
    { ...item, position: 1, name: 'Mira – Rain', status: 'waiting' as const, known: null },
    { ...item, position: 2, name: 'Mira – Sun', status: 'waiting' as const, known: null },
  ]
  const { requests, user } = mountApp(
    '/admin/library/import',
    {
      'GET /api/admin-imports': { data: [listed] },
      [`GET /api/admin-imports/${id}/items`]: { data: songs, next_after: null },
      [`GET /api/admin-track-batches/${id}`]: { data: [] },
      'POST /api/admin-imports/server': listed,
      [`POST /api/admin-imports/${id}/confirm`]: { ...listed, status: 'waiting' },
    },
    admin,
  )
  await user.click(await screen.findByRole('button', { name: 'Connect Server' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: 'List Songs' }))
  expect(dialog.getByText('Please enter an address.')).toBeDefined()
  await user.type(dialog.getByLabelText(/^Address/), 'music.example')
  await user.type(dialog.getByLabelText(/^User name/), 'mira')
  await user.type(dialog.getByLabelText(/^Password/), 'word')
  await user.click(dialog.getByRole('button', { name: 'List Songs' }))
  await waitFor(() =>
    expect(requests).toContainEqual({
      operation: 'POST /api/admin-imports/server',
      query: {},
      body: { address: 'https://music.example', login: { user: 'mira', password: 'word' } },
    }),
  )
  await user.click(await screen.findByRole('checkbox', { name: 'Mira – Sun' }))
  await user.click(screen.getByRole('button', { name: 'Import 1 song' }))
  await waitFor(() =>
    expect(requests).toContainEqual({
      operation: `POST /api/admin-imports/${id}/confirm`,
      query: {},
      body: { leave_out: [2] },
    }),
  )
})

test('suggests releases only after all files are imported', async () => {
  const track = makeImportedTrack({ title: 'Rain', folder: 'Album' })
  const running = { ...one, status: 'running', counts: { ...one.counts, waiting: 5 } }
  const data = (status: ImportSummary) => ({
    ...answers,
    'GET /api/admin-imports': { data: [status] },
    [`GET /api/admin-track-batches/${id}`]: { data: [track] },
    'GET /api/admin-releases/proposals': { data: [] },
    'GET /api/admin-track-versions': { data: [] },
  })
  const proposals = 'GET /api/admin-releases/proposals'
  const first = mountApp('/admin/library/import', data(running as ImportSummary), admin)
  await screen.findByText(/suggested once all files have been imported/)
  expect(first.requests.some(({ operation }) => operation === proposals)).toBe(false)
  cleanup()
  const second = mountApp('/admin/library/import', data({ ...one, status: 'done' }), admin)
  await waitFor(() =>
    expect(second.requests.some(({ operation }) => operation === proposals)).toBe(true),
  )
  expect(screen.queryByText(/suggested once all files have been imported/)).toBeNull()
})
