// Device keys and access tokens on the profile.
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'
import { errorAnswer, freeMember, mountApp, type Answers } from '../../testing/mount-app.tsx'

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const phone = {
  id: '0191a0c0-0000-7000-8000-000000000001',
  name: 'My phone',
  purpose: 'app' as const,
  created_at: '2026-11-20T10:00:00.000Z',
  last_used_at: '2026-11-21T10:00:00.000Z',
  last_client: 'Symfonium',
  last_network: '203.0.113.0/24',
}
const made = {
  id: phone.id,
  name: 'My phone',
  key: 'aaaaa-bbbbb-ccccc-ddddd-eeeee',
  server_url: 'https://music.test',
  username: 'ada@velour.test',
  feed_url: null,
}

function open(answers: Answers = {}, member = freeMember) {
  return mountApp(
    '/profile',
    {
      'GET /api/sessions': { data: [] },
      'GET /api/device-keys': { data: [] },
      'GET /api/tokens': { data: [] },
      ...answers,
    },
    member,
  )
}

const card = async (name: string) => {
  const heading = await screen.findByRole('heading', { name })
  return within(heading.closest('section')!)
}

test('shows a new key once, with a QR code and the values to type', async () => {
  const { user, requests } = open({ 'POST /api/device-keys': { data: made } })
  const devices = await card('Devices and apps')
  await devices.findByText('No apps yet')
  await user.click(devices.getByRole('button', { name: 'Connect an App' }))
  await user.click(screen.getByRole('button', { name: 'Create Key' }))
  screen.getByText('Please enter a name.')
  await user.type(screen.getByLabelText('Name'), 'My phone{Enter}')
  await screen.findByText(made.key)
  expect(requests.find(({ operation }) => operation === 'POST /api/device-keys')?.body).toEqual({
    name: 'My phone',
  })
  screen.getByRole('img', { name: 'QR code of the key' })
  screen.getByText('https://music.test')
  expect(screen.getAllByRole('row')).toHaveLength(7)
  await user.click(screen.getByRole('button', { name: 'I Have Entered It' }))
  await waitFor(() => expect(screen.queryByText(made.key)).toBeNull())
})

test('shows the last use of a key, and revokes only that key after a confirmation', async () => {
  const { user, requests, answers } = open({
    'GET /api/device-keys': { data: [phone] },
    [`DELETE /api/device-keys/${phone.id}`]: () => {
      answers['GET /api/device-keys'] = { data: [] }
      return undefined
    },
  })
  const devices = await card('Devices and apps')
  expect((await devices.findByText(/Last used/)).textContent).toMatch(
    /by Symfonium from 203\.0\.113\.0\/24\.$/,
  )
  await user.click(devices.getByRole('button', { name: 'Revoke My phone' }))
  await user.click(await screen.findByRole('button', { name: 'Revoke Key' }))
  await waitFor(() =>
    expect(requests.some(({ operation }) => operation.startsWith('DELETE /api/device-keys'))).toBe(
      true,
    ),
  )
  await devices.findByText('No apps yet')
})

test('shows an error when a list failed to load, and loads it again on Retry', async () => {
  open({ 'GET /api/tokens': errorAnswer(500, 'internal', 'Broken') })
  const tokens = await card('Access tokens')
  expect(await tokens.findByText('Your access tokens could not be loaded')).toBeDefined()
})

test('offers the scope admin only to admins', async () => {
  const { user } = open()
  await user.click((await card('Access tokens')).getByRole('button', { name: 'New Token' }))
  expect(screen.queryByLabelText(/^Admin:/)).toBeNull()
  cleanup()
  const admin = open({}, { ...freeMember, role: 'admin' })
  await admin.user.click((await card('Access tokens')).getByRole('button', { name: 'New Token' }))
  expect(screen.getByLabelText(/^Admin:/)).toBeDefined()
})

test('shows a new token once', async () => {
  const { user, requests } = open({
    'POST /api/tokens': {
      data: {
        id: phone.id,
        name: 'Script',
        token: 'velour_pat_x',
        scopes: ['read'],
        expires_at: '2027-01-01T00:00:00.000Z',
      },
    },
  })
  await user.click((await card('Access tokens')).getByRole('button', { name: 'New Token' }))
  await user.type(screen.getByLabelText('Name'), 'Script{Enter}')
  await screen.findByText('velour_pat_x')
  expect(requests.find(({ operation }) => operation === 'POST /api/tokens')?.body).toMatchObject({
    name: 'Script',
    scopes: ['read'],
  })
})
