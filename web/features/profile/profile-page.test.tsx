import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Profile } from '#contract/profiles.ts'
import { errorAnswer, freeMember, mountApp, type Answers } from '../../testing/mount-app.tsx'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

const here = {
  id: '0191a0c0-0000-7000-8000-000000000001',
  created_at: '2026-11-20T10:00:00.000Z',
  updated_at: '2026-11-20T10:00:00.000Z',
  expires_at: '2026-12-20T10:00:00.000Z',
  ip_address: '203.0.113.7',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
  is_current: true,
}
const phone = {
  ...here,
  id: '0191a0c0-0000-7000-8000-000000000002',
  user_agent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1',
  is_current: false,
}

function open(answers: Answers = {}, changes: Partial<Profile> = {}) {
  const member = { ...freeMember, ...changes }
  return mountApp(
    '/profile',
    {
      'GET /api/sessions': { data: [here, phone] },
      'GET /api/device-keys': { data: [] },
      'GET /api/tokens': { data: [] },
      ...answers,
    },
    member,
  )
}

const toasts = () =>
  useToasts.getState().toasts.map(({ title, message }) => [title, message].join(' | '))
const card = async (name: string) => {
  const heading = await screen.findByRole('heading', { name })
  return within(heading.closest('section')!)
}
const fact = async (name: string) =>
  (await screen.findByText(name)).closest('div')!.querySelector('dd')!.textContent

test('shows picture, name and a read-only email address', async () => {
  open()
  await screen.findByRole('heading', { name: 'Account Settings' })
  const account = await card('Account Information')
  const email = account.getByRole('textbox', { name: 'Email' })
  expect(email.getAttribute('value')).toBe('ada@velour.test')
  expect(email.hasAttribute('readonly')).toBe(true)
  expect(account.getByLabelText('Profile picture').getAttribute('accept')).toBe('image/*')
})

test('redirects visitors to sign-in', async () => {
  const { router } = mountApp('/profile')
  await waitFor(() => expect(router.state.location.pathname).toBe('/auth'))
})

test('saves a new name and shows it everywhere immediately', async () => {
  const { user, requests } = open({
    'PATCH /api/profile': { ...freeMember, display_name: 'Countess' },
  })
  const name = await screen.findByRole('textbox', { name: 'Display name' })
  const save = screen.getByRole('button', { name: 'Save Name' })
  expect(save.hasAttribute('disabled')).toBe(true)
  await user.clear(name)
  await user.type(name, 'Countess{Enter}')
  await waitFor(() => expect(toasts()).toContain('Name updated | '))
  expect(requests.find(({ operation }) => operation === 'PATCH /api/profile')?.body).toEqual({
    display_name: 'Countess',
  })
  expect(screen.getByText('Countess')).toBeDefined()
})

test('sends a password reset by email', async () => {
  const { user, requests } = open({ 'POST /api/auth/request-password-reset': { status: true } })
  await user.click(await screen.findByRole('button', { name: 'Reset Password' }))
  await waitFor(() =>
    expect(toasts()).toContain(
      'Password reset email sent | Check your email for the password reset link.',
    ),
  )
  expect(requests.at(-1)?.body).toEqual({ email: 'ada@velour.test', redirectTo: '/' })
})

test('requires a confirmed address for two-factor, and sends the confirmation link', async () => {
  const { user, requests } = open(
    { 'POST /api/auth/send-verification-email': { status: true } },
    { email_verified: false },
  )
  const toggle = await screen.findByRole('switch', { name: 'Two-factor authentication' })
  expect(toggle.hasAttribute('disabled')).toBe(true)
  screen.getByText('Confirm your email address first. We can send you a link.')
  await user.click(screen.getByRole('button', { name: 'Send Confirmation Link' }))
  await waitFor(() =>
    expect(toasts()).toContain(
      'Confirmation email sent | Open the link in it, then come back here.',
    ),
  )
  expect(requests.at(-1)?.body).toEqual({ redirectTo: '/profile' })
})

test('enables the two-factor switch for a confirmed address, without a link button', async () => {
  open()
  const toggle = await screen.findByRole('switch', { name: 'Two-factor authentication' })
  expect(toggle.hasAttribute('disabled')).toBe(false)
  expect(screen.queryByRole('button', { name: 'Send Confirmation Link' })).toBeNull()
})

test('shows an error when the email could not be sent', async () => {
  const { user } = open({
    'POST /api/auth/request-password-reset': errorAnswer(429, 'rate_limited', 'Too many'),
  })
  await user.click(await screen.findByRole('button', { name: 'Reset Password' }))
  await waitFor(() => expect(toasts()).toContain('Error | Failed to send password reset email.'))
})

test('rejects a file that is not a picture', async () => {
  const { user, requests } = open()
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL() {} }),
  )
  const input = await screen.findByLabelText<HTMLInputElement>('Profile picture')
  input.removeAttribute('accept')
  await user.upload(input, new File(['text'], 'notes.txt', { type: 'text/plain' }))
  await waitFor(() =>
    expect(toasts()).toContain('Upload failed | This file is not a picture that can be shown.'),
  )
  expect(requests.some(({ operation }) => operation.includes('upload'))).toBe(false)
})

test('removes the picture', async () => {
  const { user, requests } = open(
    { 'PATCH /api/profile': freeMember },
    { avatar_url: '/media/avatars/x/384.webp' },
  )
  await user.click(await screen.findByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(toasts()).toContain('Picture removed | '))
  expect(requests.at(-1)?.body).toEqual({ avatar_path: null })
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull())
})

test('shows free members their tier and an upgrade link', async () => {
  open()
  expect(await fact('Tier')).toBe('Free')
  expect(await fact('Status')).toBe('Inactive')
  expect(await fact('Renewal Date')).toBe('N/A')
  const link = screen.getByRole('link', { name: 'Upgrade to Premium' })
  expect(link.getAttribute('href')).toBe('/subscribe')
})

test('shows Valid Until for a lifetime tier and Renewal Date for other tiers', async () => {
  const paid = { subscription_status: 'active', is_premium: true } as const
  open({}, { ...paid, subscription_tier: 'lifetime' })
  expect(await fact('Tier')).toBe('Lifetime')
  expect(await fact('Valid Until')).toBe('Forever')
  expect(screen.queryByText('Renewal Date')).toBeNull()
  cleanup()
  open({}, { ...paid, subscription_tier: 'yearly', subscription_ends_at: '2027-03-01T12:00:00Z' })
  expect(await fact('Renewal Date')).toBe('March 1, 2027')
})

test.each(['Europe/Berlin', 'America/New_York'])(
  'shows an end date that was entered as a day as the same day in %s',
  async (zone) => {
    vi.stubEnv('TZ', zone)
    open({}, { subscription_tier: 'yearly', subscription_ends_at: '2026-12-31T23:59:59.999Z' })
    expect(await fact('Renewal Date')).toBe('December 31, 2026')
    cleanup()
    open({}, { subscription_tier: 'yearly', subscription_ends_at: '2026-12-31T23:30:00.000Z' })
    const local = zone === 'Europe/Berlin' ? 'January 1, 2027' : 'December 31, 2026'
    expect(await fact('Renewal Date')).toBe(local)
  },
)

test('shows that the billing portal is not available when Stripe is not set up', async () => {
  const { user } = open(
    { 'POST /api/billing/portal': errorAnswer(409, 'stripe_not_configured', 'Not set up') },
    { subscription_status: 'active', subscription_tier: 'monthly', is_premium: true },
  )
  await user.click(await screen.findByRole('button', { name: 'Manage Billing' }))
  await waitFor(() =>
    expect(toasts()).toContain(
      'Coming Soon | Stripe integration will be enabled soon. Stay tuned!',
    ),
  )
})

test('turns two-factor on in three steps and shows the codes once', async () => {
  const { user, answers } = open({
    'POST /api/auth/two-factor/enable': errorAnswer(403, 'password_wrong', 'Wrong password'),
    'POST /api/auth/two-factor/verify-totp': errorAnswer(401, 'two_factor_invalid', 'Wrong code'),
  })
  const toggle = await screen.findByRole('switch', { name: 'Two-factor authentication' })
  await user.click(toggle)
  await user.type(await screen.findByLabelText('Password'), 'wrong{Enter}')
  expect((await screen.findByText('Wrong password')).role).toBe('alert')

  answers['POST /api/auth/two-factor/enable'] = {
    totpURI: 'otpauth://totp/Velour:ada@velour.test?secret=ABCDEFGH234567XY&issuer=Velour',
    backupCodes: ['aaaaa-bbbbb', 'ccccc-ddddd'],
  }
  await user.type(screen.getByLabelText('Password'), '{Backspace}right{Enter}')
  expect(await screen.findByText('ABCD EFGH 2345 67XY')).toBeDefined()
  expect(screen.getByRole('img', { name: 'QR code for your authenticator app' })).toBeDefined()
  expect(screen.queryByText('aaaaa-bbbbb')).toBeNull()

  const code = screen.getByLabelText('Authentication code')
  await waitFor(() => expect(document.activeElement).toBe(code))
  await user.type(code, '000000{Enter}')
  expect((await screen.findByText('Wrong code')).role).toBe('alert')

  answers['POST /api/auth/two-factor/verify-totp'] = { status: true }
  answers['GET /api/profile'] = { data: { ...freeMember, two_factor_enabled: true } }
  await user.clear(code)
  await user.type(code, '123456{Enter}')
  expect(await screen.findByText('aaaaa-bbbbb')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Copy Codes' }))
  await waitFor(() => expect(toasts()).toContain('Recovery codes copied | '))
  expect(await navigator.clipboard.readText()).toBe('aaaaa-bbbbb\nccccc-ddddd\n')
  await user.click(screen.getByRole('button', { name: 'I Have Saved Them' }))
  await waitFor(() => expect(screen.queryByText('aaaaa-bbbbb')).toBeNull())
  expect((toggle as HTMLInputElement).checked).toBe(true)
})

test('turns two-factor off with the password', async () => {
  const { user, answers, requests } = open(
    {
      'POST /api/auth/two-factor/disable': () => {
        answers['GET /api/profile'] = { data: freeMember }
        return { status: true }
      },
    },
    { two_factor_enabled: true },
  )
  const toggle = await screen.findByRole<HTMLInputElement>('switch')
  expect(toggle.checked).toBe(true)
  await user.click(toggle)
  await user.type(await screen.findByLabelText('Password'), 'right')
  await user.click(screen.getByRole('button', { name: 'Turn Off' }))
  await waitFor(() => expect(toasts()).toContain('Two-factor authentication is off | '))
  expect(toggle.checked).toBe(false)
  expect(requests.find(({ operation }) => operation.endsWith('disable'))?.body).toEqual({
    password: 'right',
  })
})

test('replaces the recovery codes', async () => {
  const { user } = open(
    { 'POST /api/auth/two-factor/generate-backup-codes': { backupCodes: ['fffff-ggggg'] } },
    { two_factor_enabled: true },
  )
  await user.click(await screen.findByRole('button', { name: 'New Recovery Codes' }))
  await user.type(await screen.findByLabelText('Password'), 'right{Enter}')
  expect(await screen.findByText('fffff-ggggg')).toBeDefined()
})

test('ends a session on another device', async () => {
  const { user, answers, requests } = open({
    [`DELETE /api/sessions/${phone.id}`]: () => {
      answers['GET /api/sessions'] = { data: [here] }
      return undefined
    },
  })
  expect(await screen.findByText('Chrome on Linux')).toBeDefined()
  await user.click(screen.getByRole('button', { name: /^Sign out Safari on iPhone/ }))
  await waitFor(() => expect(screen.queryByText('Safari on iPhone')).toBeNull())
  expect(requests.some(({ operation }) => operation.startsWith('DELETE'))).toBe(true)
  expect(toasts()).toContain('Signed out on that device | ')
})

test('moves the focus to the next session after one is ended by key, but not to this device', async () => {
  const tablet = { ...phone, id: '0191a0c0-0000-7000-8000-000000000003' }
  const end = (left: unknown[]) => () => {
    answers['GET /api/sessions'] = { data: left }
    return undefined
  }
  const { user, answers } = open({
    'GET /api/sessions': { data: [here, phone, tablet] },
    [`DELETE /api/sessions/${phone.id}`]: end([here, tablet]),
    [`DELETE /api/sessions/${tablet.id}`]: end([here]),
  })
  const [first, second] = await screen.findAllByRole('button', { name: /^Sign out Safari/ })
  first!.focus()
  await user.keyboard(' ')
  await waitFor(() => expect(document.activeElement).toBe(second))
  await user.keyboard(' ')
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Sessions'))
})

test('asks for confirmation before Sign out everywhere, then shows sign-in', async () => {
  const { user, router, answers } = open({
    'POST /api/auth/sign-out': () => {
      answers['GET /api/profile'] = { data: null }
      return { success: true }
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Sign out everywhere' }))
  const question = within(await screen.findByRole('alertdialog', { name: 'Sign out everywhere?' }))
  expect(document.activeElement?.textContent).toBe('Cancel')
  await user.click(question.getByRole('button', { name: 'Sign Out Everywhere' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/auth'))
})

test('requests the deletion of the account without deleting it', async () => {
  const { user, requests } = open()
  await user.click(await screen.findByRole('button', { name: 'Delete Account' }))
  const question = within(await screen.findByRole('alertdialog'))
  expect(document.activeElement?.textContent).toBe('Cancel')
  await user.click(question.getByRole('button', { name: 'Delete Account' }))
  await waitFor(() =>
    expect(toasts()).toContain(
      'Account deletion requested | Please contact support to complete account deletion.',
    ),
  )
  expect(requests.at(-1)?.operation).toBe('POST /api/profile/deletion-request')
})
