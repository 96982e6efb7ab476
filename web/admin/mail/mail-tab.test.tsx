import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { BounceSettings } from '#contract/admin/service/admin-bounces.ts'
import type { MailSettings } from '#contract/admin/service/admin-mail.ts'
import { admin, errorAnswer, mountApp } from '../../testing/mount-app.tsx'
import { settings } from '../../testing/settings-fixture.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const mail: MailSettings = {
  server_source: 'saved',
  host: 'smtp.example.com',
  port: 587,
  security: 'starttls',
  user_name: 'ada',
  has_password: true,
  sender_source: 'saved',
  sender: 'Velour <hello@example.com>',
  from_name: null,
  from_address: 'hello@example.com',
  reply_to: null,
  dkim_selector: '',
  updated_at: null,
  version: 3,
}
const state = { queued: 0, kept: 0, sent_at: null, failed_at: null, failure: null }
const bounces: BounceSettings = {
  mailbox_source: 'none',
  host: '',
  port: 993,
  security: 'tls',
  user_name: '',
  has_password: false,
  folder: 'INBOX',
  is_address_set: false,
  bounce_address: null,
  updated_at: null,
  version: 1,
}
const bounceState = {
  read: 12,
  bounced: 3,
  complaints: 1,
  ignored: 8,
  read_at: '2026-11-25T10:00:00Z',
  failed_at: null,
  failure: null,
}
const welcome = {
  kind: 'welcome',
  title: 'Welcome',
  variables: ['name', 'service'],
  subject: null,
  opening: null,
  closing: null,
  updated_at: null,
  default_subject: 'Your Velour account is ready',
  default_opening: 'Hello,',
  fixed: ['Your name is in your profile.'],
}

const open = (more = {}) =>
  mountApp(
    '/admin/settings?tab=mail',
    {
      'GET /api/admin-settings': settings,
      'GET /api/admin-settings/previews': { total: 0, stale: 0 },
      'GET /api/admin-mail': mail,
      'GET /api/admin-mail/state': state,
      'GET /api/admin-mail/domain': {
        domain: 'example.com',
        checks: [
          {
            check: 'spf',
            name: 'example.com',
            state: 'missing',
            message: 'There is no SPF record.',
            found: [],
            record: 'v=spf1 a ~all',
          },
        ],
      },
      'GET /api/admin-mail/bounces': bounces,
      'GET /api/admin-mail/bounces/state': bounceState,
      'GET /api/admin-mail/words': { data: [welcome] },
      'GET /api/admin-mail/figures': { is_on: true, weekday: 1, for_me: true },
      'POST /api/admin-mail/words/welcome/preview': {
        subject: 'Your Velour account is ready',
        html: '<p>Hello,</p>',
        text: 'Hello,',
      },
      ...more,
    },
    admin,
  )

test('sends no password when the server is saved, unless a new one is typed', async () => {
  const { user, requests } = open({ 'PATCH /api/admin-mail': { ...mail, version: 4 } })
  const host = await screen.findByLabelText('Server')
  await user.clear(host)
  await user.type(host, 'mail.example.com')
  await user.selectOptions(screen.getByLabelText('Encryption'), 'tls')
  await user.click(screen.getByRole('button', { name: 'Save Email Settings' }))
  const sent = () => requests.find(({ operation }) => operation === 'PATCH /api/admin-mail')?.body
  await waitFor(() => expect(sent()).toBeTruthy())
  expect(sent()).toMatchObject({
    settings: { host: 'mail.example.com', port: 465, security: 'tls', user_name: 'ada' },
    version: 3,
  })
  expect(JSON.stringify(sent())).not.toContain('password')
})

test('shows values set by environment variables, and leaves them out of the request', async () => {
  const { user, requests } = open({
    'GET /api/admin-mail': { ...mail, server_source: 'environment' },
    'PATCH /api/admin-mail': { ...mail, server_source: 'environment', version: 4 },
  })
  expect(await screen.findByText(/environment variable SMTP_URL/)).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Server').matches(':disabled')).toBe(true)
  await user.type(screen.getByLabelText('Reply-to address'), 'help@example.com')
  await user.click(screen.getByRole('button', { name: 'Save Email Settings' }))
  const sent = () => requests.find(({ operation }) => operation === 'PATCH /api/admin-mail')?.body
  await waitFor(() => expect(sent()).toMatchObject({ settings: { reply_to: 'help@example.com' } }))
  expect(sent()).not.toHaveProperty('settings.host')
})

test('shows why the mail server rejected a test email', async () => {
  const { user } = open({
    'POST /api/admin-mail/test': {
      to: 'ada@example.com',
      failure: { reason: 'login', reply: '535 Authentication failed' },
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Send Test Email' }))
  expect(await screen.findByText('The server refused the user name or the password.')).toBeTruthy()
  expect(screen.getByText('535 Authentication failed')).toBeTruthy()
})

test('shows the number of queued emails, and sends them again when Retry is clicked', async () => {
  const failure = { reason: 'timed_out' as const, reply: null }
  const { user, requests } = open({
    'GET /api/admin-mail/state': {
      ...state,
      queued: 2,
      kept: 1,
      failed_at: '2026-11-25T10:00:00Z',
      failure,
    },
    'POST /api/admin-mail/retry': { retried: 3 },
  })
  expect(await screen.findByText(/2 emails are queued for the mail server/)).toBeTruthy()
  expect(screen.getByText(/did not answer in time/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Retry Now' }))
  await waitFor(() =>
    expect(requests.some(({ operation }) => operation === 'POST /api/admin-mail/retry')).toBe(true),
  )
})

test('saves the bounce mailbox with the default port of the chosen encryption', async () => {
  const saved = { ...bounces, mailbox_source: 'saved', host: 'imap.example.com', version: 2 }
  const { user, requests } = open({ 'PATCH /api/admin-mail/bounces': saved })
  expect(await screen.findByText(/rejects immediately are detected/)).toBeTruthy()
  await user.type(screen.getByLabelText('IMAP server'), 'imap.example.com')
  await user.selectOptions(screen.getByLabelText('Mailbox encryption'), 'starttls')
  await user.click(screen.getByRole('button', { name: 'Save Mailbox' }))
  expect(await screen.findByText('Enter the user name of the mailbox.')).toBeTruthy()
  await user.type(screen.getByLabelText('Mailbox user name'), 'bounces')
  await user.type(screen.getByLabelText('Mailbox password'), 'hush-0815')
  await user.click(screen.getByRole('button', { name: 'Save Mailbox' }))
  const sent = () =>
    requests.find(({ operation }) => operation === 'PATCH /api/admin-mail/bounces')?.body
  await waitFor(() =>
    expect(sent()).toEqual({
      settings: {
        host: 'imap.example.com',
        port: 143,
        security: 'starttls',
        user_name: 'bounces',
        password: 'hush-0815',
        folder: 'INBOX',
        bounce_address: null,
      },
      version: 1,
    }),
  )
})

test('shows bounce statistics, and why the mailbox could not be opened', async () => {
  const { user } = open({
    'GET /api/admin-mail/bounces': { ...bounces, mailbox_source: 'environment', host: 'imap.x' },
    'GET /api/admin-mail/bounces/state': {
      ...bounceState,
      failed_at: '2026-11-25T11:00:00Z',
      failure: { reason: 'timed_out', reply: null },
    },
    'POST /api/admin-mail/bounces/test': {
      mails: null,
      failure: { reason: 'login', reply: 'Wrong password' },
    },
  })
  expect(await screen.findByText(/environment variable BOUNCE_MAILBOX_URL/)).toBeTruthy()
  expect(await screen.findByText('Spam complaints')).toBeTruthy()
  expect(screen.getByText(/Emails are still sent/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Test Mailbox' }))
  expect(await screen.findByText(/Many providers require an app password/)).toBeTruthy()
  expect(screen.getByText('Wrong password')).toBeTruthy()
})

test('shows an error for an unknown variable before the email text is saved', async () => {
  const { user, requests } = open()
  await user.click(await screen.findByRole('button', { name: 'Edit Welcome' }))
  const sheet = within(await screen.findByRole('dialog'))
  await user.click(sheet.getByLabelText('Subject'))
  await user.paste('Hi {{nmae}}')
  await user.click(sheet.getByRole('button', { name: 'Save Text' }))
  expect(await sheet.findByText(/\{\{nmae\}\} is not available in this email/)).toBeTruthy()
  expect(requests.some(({ operation }) => operation.startsWith('PUT'))).toBe(false)
})

test('shows an error when the settings fail to load', async () => {
  open({ 'GET /api/admin-mail': errorAnswer(500, 'internal', 'Something went wrong') })
  expect(await screen.findByText('Failed to load the email settings')).toBeTruthy()
})
