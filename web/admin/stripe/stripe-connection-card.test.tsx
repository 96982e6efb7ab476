import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { StripeConnection, StripeKeyCheck } from '#contract/admin/money/admin-stripe.ts'
import { admin, errorAnswer, mountApp, unconnectedStripe } from '../../testing/mount-app.tsx'
import { settings } from '../../testing/settings-fixture.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const key = 'sk_test_keyOfTheOwner1234'
const connected: StripeConnection = {
  ...unconnectedStripe,
  key_source: 'saved',
  last4: '1234',
  account_name: 'Night Records',
  account_id: 'acct_1',
  set_at: '2026-11-26T01:00:00.000Z',
  webhook: {
    ...unconnectedStripe.webhook,
    state: 'connected',
    tried_at: '2026-11-26T01:00:00.000Z',
  },
}
const checked: StripeKeyCheck = {
  last4: '1234',
  is_live: false,
  account_name: 'Night Records',
  account_id: 'acct_1',
  missing_rights: [],
  change: 'first',
  customers: 0,
  in_use: { subscriptions: 0, tasks: 0 },
}

/** Opens the card. The simulated server returns the connection `before`, and `after` once a change was requested. */
function open(before: StripeConnection, more = {}, after = before) {
  let current = before
  const change = () => (current = after)
  return mountApp(
    '/admin/settings?tab=stripe',
    {
      'GET /api/admin-settings': settings,
      'GET /api/admin-stripe': () => current,
      'PUT /api/admin-stripe/key': change,
      'DELETE /api/admin-stripe/key': change,
      'POST /api/admin-stripe/webhook': change,
      ...more,
    },
    admin,
  )
}
const getBody = (requests: { operation: string; body: unknown }[], operation: string) =>
  requests.findLast((one) => one.operation === operation)?.body

test('checks a key and shows its account before it is saved', async () => {
  const answers = { 'POST /api/admin-stripe/check': checked }
  const { user, requests } = open(unconnectedStripe, answers, connected)
  const field = await screen.findByLabelText('Secret or restricted key')
  expect(screen.getByText('Not connected')).toBeDefined()
  await user.type(field, 'pk_test_1')
  await user.click(screen.getByRole('button', { name: 'Check Key' }))
  expect(await screen.findByText(/publishable key/)).toBeDefined()
  await user.clear(field)
  await user.type(field, ` ${key} `)
  await user.click(screen.getByRole('button', { name: 'Check Key' }))
  expect(await screen.findByText('Night Records')).toBeDefined()
  expect(screen.getByText('Test mode')).toBeDefined()
  expect(getBody(requests, 'POST /api/admin-stripe/check')).toEqual({ key })
  await user.click(screen.getByRole('button', { name: 'Save Key' }))
  expect(await screen.findByText('Key ending in 1234')).toBeDefined()
  expect(getBody(requests, 'PUT /api/admin-stripe/key')).toEqual({ key })
  expect(screen.queryByLabelText('Secret or restricted key')).toBeNull()
})

test('shows an error when Stripe rejects the key', async () => {
  const { user } = open(unconnectedStripe, {
    'POST /api/admin-stripe/check': errorAnswer(409, 'stripe_key_refused', 'It may be revoked.'),
  })
  await user.type(await screen.findByLabelText('Secret or restricted key'), key)
  await user.click(screen.getByRole('button', { name: 'Check Key' }))
  expect(await screen.findByText('Failed to check the key. It may be revoked.')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Save Key' })).toBeNull()
})

test('asks for confirmation before a different account is used', async () => {
  const found = { ...checked, change: 'other', customers: 3, is_live: true }
  const { user, requests } = open(connected, { 'POST /api/admin-stripe/check': found })
  await user.click(await screen.findByRole('button', { name: 'Replace Key' }))
  await user.type(screen.getByLabelText('Secret or restricted key'), key)
  await user.click(screen.getByRole('button', { name: 'Check Key' }))
  expect(await screen.findByText(/3 members have a customer/)).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Save Key' }))
  const dialog = await screen.findByRole('alertdialog')
  expect(requests.some(({ operation }) => operation.startsWith('PUT'))).toBe(false)
  await user.click(within(dialog).getByRole('button', { name: 'Change Account' }))
  await waitFor(() =>
    expect(getBody(requests, 'PUT /api/admin-stripe/key')).toEqual({ key, other_account: true }),
  )
})

test('rejects a different account while subscriptions are active', async () => {
  const in_use = { subscriptions: 2, tasks: 0 }
  const { user } = open(
    { ...connected, in_use },
    { 'POST /api/admin-stripe/check': { ...checked, change: 'other', in_use } },
  )
  const remove = await screen.findByRole('button', { name: 'Remove Key' })
  expect(remove).toHaveProperty('disabled', true)
  await user.click(screen.getByRole('button', { name: 'Replace Key' }))
  await user.type(screen.getByLabelText('Secret or restricted key'), key)
  await user.click(screen.getByRole('button', { name: 'Check Key' }))
  expect(await screen.findByText(/you cannot use it yet: 2 subscriptions are active/)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Save Key' })).toBeNull()
})

test('explains what stops working before the key is removed', async () => {
  const { user, requests } = open(connected, {}, unconnectedStripe)
  await user.click(await screen.findByRole('button', { name: 'Remove Key' }))
  const dialog = await screen.findByRole('alertdialog')
  expect(dialog.textContent).toContain('can no longer buy Premium')
  await user.click(within(dialog).getByRole('button', { name: 'Remove Key' }))
  expect(await screen.findByLabelText('Secret or restricted key')).toBeDefined()
  expect(requests.some(({ operation }) => operation === 'DELETE /api/admin-stripe/key')).toBe(true)
})

test('allows no changes if an environment variable sets the key', async () => {
  open({ ...connected, key_source: 'environment', account_name: null, set_at: null })
  expect(await screen.findByText(/environment variable STRIPE_SECRET_KEY/)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Replace Key' })).toBeNull()
})

test('lists missing permissions of a restricted key, and how to connect the webhook manually', async () => {
  const webhook = { ...connected.webhook, state: 'none', failure: 'May not write.' } as const
  const missing_rights: StripeConnection['missing_rights'] = ['refunds', 'webhook_endpoints']
  const { user } = open({ ...connected, missing_rights, webhook }, {}, connected)
  expect(await screen.findByText('Refunds (write)')).toBeDefined()
  expect(screen.getByText('May not write.')).toBeDefined()
  expect(screen.getByText(/enter its signing secret below/)).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Reconnect Webhook' }))
  expect(await screen.findByText('Stripe sends its events here.')).toBeDefined()
})

test('says that Stripe cannot reach a local address', async () => {
  const webhook = { ...connected.webhook, state: 'none', is_reachable: false } as const
  open({ ...connected, webhook })
  expect(await screen.findByText(/Stripe cannot reach this address/)).toBeDefined()
  expect(screen.queryByRole('button', { name: /Connect Webhook/ })).toBeNull()
})

test('says that the stored key cannot be read, and shows an error when the connection fails to load', async () => {
  open({ ...connected, is_key_lost: true })
  expect(await screen.findByText('Key lost')).toBeDefined()
  cleanup()
  open(unconnectedStripe, {
    'GET /api/admin-stripe': errorAnswer(500, 'internal', 'Something went wrong'),
  })
  expect(await screen.findByText('Failed to load the connection to Stripe')).toBeDefined()
})
