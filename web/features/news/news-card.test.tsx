import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { NewsPreferences } from '#contract/news.ts'
import { errorAnswer, freeMember, mountApp, type Answers } from '../../testing/mount-app.tsx'
import { makeArtist } from '../../testing/catalogue-fixture.ts'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'

const preferences: NewsPreferences = {
  follows_everything: false,
  release_mail: 'off',
  announcements: false,
  mail_problem: null,
  followed_count: 1,
}
const mira = makeArtist()

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function open(answers: Answers = {}) {
  const app = mountApp(
    '/profile#news',
    {
      'GET /api/sessions': { data: [] },
      'GET /api/device-keys': { data: [] },
      'GET /api/tokens': { data: [] },
      'GET /api/news-preferences': preferences,
      'GET /api/artists': { data: [mira], next_cursor: null },
      ...answers,
    },
    freeMember,
  )
  const heading = await screen.findByRole('heading', { name: 'News' })
  return { ...app, card: within(heading.closest('section')!) }
}
const toasts = () => useToasts.getState().toasts.map(({ message }) => message)

test('shows all news turned off at first, and sends only the changed choice', async () => {
  const { card, user, answers, requests } = await open()
  const mails = await card.findByRole('combobox', { name: 'Emails about new music' })
  expect((mails as HTMLSelectElement).value).toBe('off')
  const announcements = card.getByRole('switch', { name: 'Announcements' })
  expect((announcements as HTMLInputElement).checked).toBe(false)
  answers['PATCH /api/news-preferences'] = { ...preferences, release_mail: 'weekly' }
  await user.selectOptions(mails, 'Once a week, on Friday')
  await waitFor(() => expect((mails as HTMLSelectElement).value).toBe('weekly'))
  const sent = requests.filter(({ operation }) => operation === 'PATCH /api/news-preferences')
  expect(sent.map(({ body }) => body)).toEqual([{ release_mail: 'weekly' }])
})

test('reverts a choice that the server rejects', async () => {
  const { card, user } = await open({
    'PATCH /api/news-preferences': errorAnswer(429, 'rate_limited', 'Too many requests.'),
  })
  const announcements = await card.findByRole('switch', { name: 'Announcements' })
  await user.click(announcements)
  await waitFor(() => expect(toasts()).toEqual(['Too many requests.']))
  await waitFor(() => expect((announcements as HTMLInputElement).checked).toBe(false))
})

test('shows why no emails are sent', async () => {
  const { card } = await open({
    'GET /api/news-preferences': {
      ...preferences,
      release_mail: 'each',
      mail_problem: 'unconfirmed',
    },
  })
  expect(await card.findByText(/not confirmed/)).toBeTruthy()
})

test('lists the followed artists, and unfollows one', async () => {
  const { card, user, answers, requests } = await open({
    [`DELETE /api/artists/${mira.id}/follow`]: undefined,
  })
  const link = await card.findByRole('link', { name: mira.name })
  expect(link.getAttribute('href')).toBe(`/artists/${mira.slug}`)
  answers['GET /api/artists'] = { data: [], next_cursor: null }
  await user.click(card.getByRole('button', { name: `Unfollow ${mira.name}` }))
  await card.findByText(/You do not follow any artists yet/)
  expect(
    requests.some(({ operation }) => operation === `DELETE /api/artists/${mira.id}/follow`),
  ).toBe(true)
})

test('shows an error when the choices fail to load, and loads them again on Retry', async () => {
  const { card, user, answers } = await open({
    'GET /api/news-preferences': errorAnswer(400, 'invalid_input', 'No'),
  })
  const retry = await card.findByRole('button', { name: /Retry|Try again/ })
  answers['GET /api/news-preferences'] = preferences
  await user.click(retry)
  expect(await card.findByRole('combobox', { name: 'Emails about new music' })).toBeTruthy()
})

/** Simulates a browser with the Push API. */
function stubBrowser(answer: NotificationPermission) {
  const subscription = {
    endpoint: 'https://push.example/1',
    options: { applicationServerKey: null },
    toJSON: () => ({ endpoint: 'https://push.example/1', keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: vi.fn<() => Promise<boolean>>(async () => true),
  }
  const pushManager = {
    getSubscription: vi.fn<() => Promise<typeof subscription | null>>(async () => null),
    subscribe: vi.fn<(options: object) => Promise<typeof subscription>>(async () => subscription),
  }
  const requestPermission = vi.fn<() => Promise<NotificationPermission>>(async () => answer)
  vi.stubGlobal('Notification', { permission: 'default', requestPermission })
  vi.stubGlobal('PushManager', {})
  vi.stubGlobal('navigator', {
    ...navigator,
    userAgent: navigator.userAgent,
    clipboard: navigator.clipboard,
    serviceWorker: { controller: null, getRegistration: async () => ({ pushManager }) },
  })
  return { pushManager, requestPermission, subscription }
}
const browser = {
  id: '0191a0c0-0000-7000-8000-0000000000c1',
  device: 'Firefox on Linux',
  is_current: true,
  created_at: '2026-11-25T10:00:00.000Z',
}

test('asks for permission only after a click, then subscribes and unsubscribes', async () => {
  const { pushManager, requestPermission, subscription } = stubBrowser('granted')
  const { card, user, answers, requests } = await open({
    'GET /api/push/key': { public_key: 'BKey' },
    'POST /api/push/subscriptions': browser,
    [`DELETE /api/push/subscriptions/${browser.id}`]: undefined,
  })
  const push = await card.findByRole('switch', { name: 'Notifications in this browser' })
  await waitFor(() => expect((push as HTMLInputElement).disabled).toBe(false))
  expect(requestPermission).not.toHaveBeenCalled()
  answers['GET /api/push/subscriptions'] = { data: [browser] }
  await user.click(push)
  await waitFor(() => expect((push as HTMLInputElement).checked).toBe(true))
  expect(pushManager.subscribe).toHaveBeenCalledWith({
    userVisibleOnly: true,
    applicationServerKey: 'BKey',
  })
  const sent = requests.find(({ operation }) => operation === 'POST /api/push/subscriptions')
  expect(sent?.body).toEqual({
    endpoint: 'https://push.example/1',
    keys: { p256dh: 'p', auth: 'a' },
  })
  pushManager.getSubscription.mockResolvedValue(subscription)
  answers['GET /api/push/subscriptions'] = { data: [] }
  await waitFor(() => expect((push as HTMLInputElement).disabled).toBe(false))
  await user.click(push)
  await waitFor(() => expect((push as HTMLInputElement).checked).toBe(false))
  expect(subscription.unsubscribe).toHaveBeenCalled()
})

test('explains a denied permission, and sends nothing', async () => {
  stubBrowser('denied')
  const { card, user, requests } = await open()
  const push = await card.findByRole('switch', { name: 'Notifications in this browser' })
  await waitFor(() => expect((push as HTMLInputElement).disabled).toBe(false))
  await user.click(push)
  await waitFor(() =>
    expect(toasts()).toEqual(['Your browser does not allow notifications from this site.']),
  )
  expect(requests.some(({ operation }) => operation.startsWith('POST /api/push'))).toBe(false)
})
