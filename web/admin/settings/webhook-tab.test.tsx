import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { admin, mountApp, onePage } from '../../testing/mount-app.tsx'
import { settings } from '../../testing/settings-fixture.ts'

const zoe = {
  id: '01a20306-0000-7000-8000-0000000000aa',
  email: 'zoe@velour.test',
  display_name: 'Zo\u00eb',
  role: 'member',
  subscription_tier: 'free',
  subscription_status: 'inactive',
  created_at: '2026-11-20T10:00:00.000Z',
  deletion_requested_at: null,
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('fills example events with the id of a person found by email', async () => {
  const { user } = mountApp(
    '/admin/settings?tab=webhook',
    {
      'GET /api/admin-settings': settings,
      'GET /api/admin-settings/previews': { total: 0, stale: 0 },
      'GET /api/admin-users': onePage([zoe]),
    },
    admin,
  )
  await user.click(await screen.findByRole('button', { name: 'Purchase' }))
  const payload = screen.getByLabelText<HTMLTextAreaElement>(/Webhook payload/)
  expect(payload.value).not.toContain(zoe.id)
  await user.type(screen.getByLabelText('Member'), 'zoe')
  await user.click(await screen.findByRole('button', { name: zoe.email }))
  expect(JSON.parse(payload.value)).toMatchObject({
    data: { object: { client_reference_id: zoe.id, metadata: { user_id: zoe.id } } },
  })
  await user.click(screen.getByRole('button', { name: 'Refund' }))
  await user.click(screen.getByRole('button', { name: 'Cancellation' }))
  expect(payload.value).toContain(zoe.id)
})
