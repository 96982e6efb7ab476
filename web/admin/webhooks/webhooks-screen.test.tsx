// Tests the Webhooks screen and the requests it sends.
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { WebhookDelivery, WebhookEndpoint } from '#contract/admin/webhooks.ts'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'
import { admin, errorAnswer, mountApp, type Answers } from '../../testing/mount-app.tsx'

const endpoint: WebhookEndpoint = {
  id: '01a20306-0000-7000-8000-0000000000aa',
  url: 'https://crm.example/hooks',
  description: 'Newsletter',
  event_types: ['member.joined'],
  is_enabled: true,
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  old_secret_until: null,
  created_at: '2026-11-25T10:00:00.000Z',
}
const delivery: WebhookDelivery = {
  id: '01a20306-0000-7000-8000-0000000000bb',
  endpoint_id: endpoint.id,
  url: endpoint.url,
  event_id: '01a20306-0000-7000-8000-0000000000cc',
  type: 'member.joined',
  state: 'failed',
  attempts: 1,
  response_status: 500,
  error: null,
  duration_ms: 1234,
  next_attempt_at: null,
  created_at: '2026-11-25T10:00:00.000Z',
}
const page = { page: 1, page_size: 20, total: 1, total_pages: 1 }
const list = '/api/admin-webhooks'
const one = `${list}/${endpoint.id}`
const log = '/api/admin-webhook-deliveries'

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function open(answers: Answers = {}, endpoints = [endpoint]) {
  return mountApp(
    '/admin/webhooks',
    {
      [`GET ${list}`]: { data: endpoints },
      [`GET ${log}`]: { data: [delivery], pagination: page },
      ...answers,
    },
    admin,
  )
}

async function choose(user: ReturnType<typeof open>['user'], item: string) {
  await user.click(await screen.findByRole('button', { name: 'Actions for Newsletter' }))
  await user.click(screen.getByRole('menuitem', { name: item }))
}
const getBody = (requests: ReturnType<typeof open>['requests'], operation: string) =>
  requests.find((request) => request.operation === operation)?.body

test('adds an endpoint, and shows its secret once', async () => {
  const created = { ...endpoint, secret: 'whsec_shown-once' }
  const { user, requests } = open({ [`POST ${list}`]: { data: created } }, [])
  await screen.findByText('No endpoints yet')
  await user.click(screen.getAllByRole('button', { name: 'Add Endpoint' })[0]!)
  const dialog = within(await screen.findByRole('dialog'))
  const submit = () => user.click(dialog.getByRole('button', { name: 'Add Endpoint' }))
  await submit()
  dialog.getByText('Please enter an address.')
  await user.type(dialog.getByLabelText('Address'), 'crm.example')
  await submit()
  dialog.getByText(/Please enter a complete address/)
  await user.clear(dialog.getByLabelText('Address'))
  await user.type(dialog.getByLabelText('Address'), endpoint.url)
  await submit()
  dialog.getByText('Select at least one event.')
  await user.click(dialog.getByLabelText('Member joined'))
  await submit()
  await screen.findByText('whsec_shown-once')
  expect(getBody(requests, `POST ${list}`)).toEqual({
    url: endpoint.url,
    description: '',
    event_types: ['member.joined'],
  })
  await user.click(screen.getByRole('button', { name: 'I Have Saved It' }))
  await waitFor(() => expect(screen.queryByText('whsec_shown-once')).toBeNull())
})

test('sends the URL only when it changed, and shows why a URL is rejected', async () => {
  const { user, requests } = open({
    [`PATCH ${one}`]: errorAnswer(400, 'webhook_url_private', 'This address is private.'),
  })
  await choose(user, 'Edit')
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByLabelText('Description'), 's')
  await user.click(dialog.getByRole('button', { name: 'Save Changes' }))
  await dialog.findByText('This address is private.')
  expect(getBody(requests, `PATCH ${one}`)).toEqual({
    description: 'Newsletters',
    event_types: ['member.joined'],
  })
})

test('sends a test event, disables an endpoint, rotates its secret, and deletes the endpoint', async () => {
  const rotated = { ...endpoint, old_secret_until: '2026-11-26T10:00:00.000Z', secret: 'whsec_new' }
  const { user, requests } = open({
    [`POST ${one}/test`]: { data: { delivery_id: delivery.id } },
    [`PATCH ${one}`]: { data: { ...endpoint, is_enabled: false } },
    [`POST ${one}/rotate-secret`]: { data: rotated },
    [`DELETE ${one}`]: undefined,
  })
  await choose(user, 'Send Test Event')
  await waitFor(() => expect(useToasts.getState().toasts[0]?.title).toBe('Test event sent'))
  await choose(user, 'Disable')
  await waitFor(() => expect(getBody(requests, `PATCH ${one}`)).toEqual({ is_enabled: false }))
  await choose(user, 'Rotate Secret')
  await user.click(await screen.findByRole('button', { name: 'Rotate' }))
  await screen.findByText('whsec_new')
  screen.getByText(/signed with the previous secret/)
  await user.click(screen.getByRole('button', { name: 'I Have Saved It' }))
  await choose(user, 'Delete')
  await user.click(await screen.findByRole('button', { name: 'Delete' }))
  await waitFor(() =>
    expect(requests.some(({ operation }) => operation === `DELETE ${one}`)).toBe(true),
  )
})

test('shows why an endpoint is disabled', async () => {
  const disabled = { is_enabled: false, disabled_at: '2026-11-25T10:00:00.000Z' }
  open({}, [
    { ...endpoint, ...disabled, disabled_reason: 'failing' },
    { ...endpoint, id: delivery.id, failing_since: '2026-11-25T10:00:00.000Z' },
  ])
  expect(await screen.findByText('Disabled: failed for several days')).toBeDefined()
  expect(screen.getByText('Failing')).toBeDefined()
})

test('filters the log, shows a request and its responses, and sends the delivery again', async () => {
  const detail = {
    ...delivery,
    request_body: '{"id":"x","type":"member.joined"}',
    attempt_log: [
      {
        number: 1,
        started_at: '2026-11-25T10:00:00.000Z',
        duration_ms: 1234,
        response_status: 500,
        response_body: 'out of order',
        error: null,
      },
    ],
  }
  const { user, requests, router } = open({
    [`GET ${log}/${delivery.id}`]: { data: detail },
    [`POST ${log}/${delivery.id}/resend`]: undefined,
  })
  await screen.findByText('500 in 1.2 s')
  await user.selectOptions(screen.getByLabelText('State'), 'failed')
  await waitFor(() => expect(router.state.location.search).toBe('?state=failed'))
  await user.click(await screen.findByRole('button', { name: /^Member joined, / }))
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByText('out of order')
  dialog.getByText(/"type": "member.joined"/)
  await user.click(dialog.getByRole('button', { name: 'Send Again' }))
  await waitFor(() =>
    expect(
      requests.some(({ operation }) => operation === `POST ${log}/${delivery.id}/resend`),
    ).toBe(true),
  )
})
