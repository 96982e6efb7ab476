import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { Person } from '#contract/admin/admin-people.ts'
import { PersonMail } from './person-mail.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const id = '0198a000-0000-7000-8000-000000000001'
const refusal = {
  source: 'bounce' as const,
  reason: '550 no such person',
  refusals: 3,
  refused_at: '2026-11-25T10:00:00.000Z',
  is_suspended: true,
}

function show(mail: Pick<Person, 'mail_refusal' | 'mail_complaint_at'>) {
  const calls: string[] = []
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    calls.push(`${method} ${new URL(url, 'http://velour.test').pathname}`)
    return new Response(null, { status: 204 })
  })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <PersonMail person={{ id, ...mail }} />
    </QueryClientProvider>,
  )
  return calls
}

test('shows why and since when emails to the person fail, and lets sending resume', async () => {
  const calls = show({ mail_refusal: refusal, mail_complaint_at: null })
  expect(screen.getByRole('note').textContent).toMatch(
    /3 emails bounced, last on .*2026.*: “550 no such person”\. Announcements to this address are suspended\./,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Resume Emails' }))
  await waitFor(() => expect(calls).toEqual([`DELETE /api/admin-suspended-addresses/${id}`]))
})

test('shows an email rejected by the mail server, and a spam complaint', () => {
  show({
    mail_refusal: { ...refusal, source: 'server', refusals: 1, is_suspended: false },
    mail_complaint_at: '2026-11-24T10:00:00.000Z',
  })
  expect(screen.getByText(/The mail server rejected 1 email,/)).toBeDefined()
  expect(screen.getByText(/Marked an email as spam/)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Clear' })).toBeDefined()
})
