// Tests the Spots screen and the requests it sends.
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AdminSpot } from '#contract/admin/service/admin-spots.ts'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'
import { admin, errorAnswer, mountApp, type Answers } from '../../testing/mount-app.tsx'

const spot: AdminSpot = {
  id: '01a20306-0000-7000-8000-0000000000aa',
  kind: 'card',
  title: 'Tour in May',
  text: 'Five evenings.',
  link_url: 'https://example.com/tour',
  link_label: '',
  cover_url: null,
  cover_tint: null,
  cover_placeholder: null,
  is_on: true,
  starts_at: null,
  ends_at: null,
  category_ids: [],
  state: 'on',
  processing_error: null,
  audio_url: null,
  duration: 0,
  shown: 200,
  finished: 150,
  clicked: 7,
  created_at: '2026-11-25T10:00:00.000Z',
}
const rules = { every_songs: 3, per_hour: 6, skip_after_seconds: null, offers_premium: true }

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function open(answers: Answers = {}, data = [spot]) {
  return mountApp(
    '/admin/spots',
    {
      'GET /api/admin-spots': { data, rules },
      'GET /api/admin-categories': { data: [] },
      ...answers,
    },
    admin,
  )
}
const getBody = (requests: ReturnType<typeof open>['requests'], operation: string) =>
  requests.find((request) => request.operation === operation)?.body

test('lists each spot with its statistics', async () => {
  const failed = { ...spot, id: spot.id.replace('aa', 'ab'), title: 'Broken' }
  open({}, [spot, { ...failed, state: 'failed', processing_error: 'The recording is damaged.' }])
  const row = within(await screen.findByRole('row', { name: /Tour in May/ }))
  expect(row.getByText('All songs')).toBeTruthy()
  expect(row.getByText('150 (75 %)')).toBeTruthy()
  expect(row.getByText('7 (4 %)')).toBeTruthy()
  expect(screen.getByText('The recording is damaged.')).toBeTruthy()
})

test('shows which fields of a new card are missing, then adds the card', async () => {
  const { user, requests } = open({ 'POST /api/admin-spots': spot }, [])
  await screen.findByText('No spots yet')
  await user.click(screen.getAllByRole('button', { name: 'Add Spot' })[0]!)
  const dialog = within(await screen.findByRole('dialog'))
  const submit = () => user.click(dialog.getByRole('button', { name: 'Add Spot' }))
  await submit()
  expect(dialog.getByText('Title is required')).toBeTruthy()
  expect(dialog.getByText('Select a recording for this spot.')).toBeTruthy()
  await user.selectOptions(dialog.getByLabelText('Kind'), 'card')
  await user.type(dialog.getByLabelText('Title'), 'Tour in May')
  await user.type(dialog.getByLabelText('Link'), 'example')
  await submit()
  expect(dialog.getByText('Use an address that starts with https://')).toBeTruthy()
  await user.clear(dialog.getByLabelText('Link'))
  await submit()
  await waitFor(() =>
    expect(getBody(requests, 'POST /api/admin-spots')).toMatchObject({
      kind: 'card',
      title: 'Tour in May',
      link_url: null,
      starts_at: null,
      is_on: true,
    }),
  )
})

test('turns a spot off, and asks for confirmation before deleting one', async () => {
  const one = `/api/admin-spots/${spot.id}`
  const { user, requests } = open({ [`PATCH ${one}`]: spot, [`DELETE ${one}`]: undefined })
  const choose = async (item: string) => {
    await user.click(await screen.findByRole('button', { name: 'Actions for Tour in May' }))
    await user.click(screen.getByRole('menuitem', { name: item }))
  }
  await choose('Turn Off')
  await waitFor(() => expect(getBody(requests, `PATCH ${one}`)).toEqual({ is_on: false }))
  await choose('Delete')
  const question = within(await screen.findByRole('alertdialog'))
  expect(requests.some(({ operation }) => operation.startsWith('DELETE'))).toBe(false)
  await user.click(question.getByRole('button', { name: 'Delete' }))
  await waitFor(() =>
    expect(requests.some(({ operation }) => operation === `DELETE ${one}`)).toBe(true),
  )
})

test('saves the rules, and marks a number that is invalid', async () => {
  const { user, requests } = open({ 'PUT /api/admin-spot-rules': rules })
  const songs = await screen.findByLabelText('Songs between spots')
  const save = () => user.click(screen.getByRole('button', { name: 'Save Rules' }))
  await user.clear(songs)
  await save()
  expect(screen.getByText('Enter a number from 1 to 50')).toBeTruthy()
  await user.type(songs, '5')
  await user.type(screen.getByLabelText('Skippable after (seconds)'), '10')
  await save()
  await waitFor(() =>
    expect(getBody(requests, 'PUT /api/admin-spot-rules')).toEqual({
      ...rules,
      every_songs: 5,
      skip_after_seconds: 10,
    }),
  )
})

test('shows an error when the spots fail to load', async () => {
  open({ 'GET /api/admin-spots': errorAnswer(500, 'internal', 'Something went wrong') })
  expect(await screen.findByText('Failed to load the spots')).toBeTruthy()
})
