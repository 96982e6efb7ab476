// Names, links and filters of the audit log.
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AuditEntry } from '#contract/admin/admin-audit.ts'
import { admin, mountApp } from '../../testing/mount-app.tsx'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'

const entry: AuditEntry = {
  id: '01a20306-0000-7000-8000-000000000001',
  actor_id: '01a20306-0000-7000-8000-0000000000aa',
  actor_email: 'zoe@velour.test',
  actor_name: 'Zoë',
  action: 'update',
  entity: 'track',
  entity_id: '01a20306-0000-7000-8000-0000000000bb',
  entity_name: 'Dusk',
  entity_key: '01a20306-0000-7000-8000-0000000000bb',
  token_name: null,
  before: null,
  after: null,
  created_at: '2026-11-20T10:00:00.000Z',
}
const deletedEntry: AuditEntry = {
  ...entry,
  id: '01a20306-0000-7000-8000-000000000002',
  actor_email: null,
  actor_name: null,
  entity_name: 'Old Song',
  entity_key: null,
}
const answers = {
  'GET /api/admin-audit-log': {
    data: [entry, deletedEntry],
    pagination: { page: 1, page_size: 20, total: 2, total_pages: 1 },
  },
}

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('links the actor and the entity of an entry, and shows their shortened ids', async () => {
  mountApp('/admin/audit', answers, admin)
  const table = within(await screen.findByRole('table'))
  const person = await table.findByRole('link', { name: 'Zoë' })
  expect(person.getAttribute('href')).toBe(`/admin/users/${entry.actor_id}`)
  const thing = table.getByRole('link', { name: 'Dusk' })
  expect(thing.getAttribute('href')).toBe(`/admin/library?edit=${entry.entity_id}`)
  expect(table.getAllByText('01a20306...')).toHaveLength(4)
})

test('shows the name of a deleted entity without a link', async () => {
  mountApp('/admin/audit', answers, admin)
  expect(await screen.findByText('Old Song')).toBeDefined()
  expect(screen.queryByRole('link', { name: 'Old Song' })).toBeNull()
  expect(screen.getByText('Deleted account')).toBeDefined()
})

test('copies the full id when a shortened id is clicked', async () => {
  const { user } = mountApp('/admin/audit', answers, admin)
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  const [button] = await screen.findAllByRole('button', { name: `Copy ID ${entry.entity_id}` })
  await user.click(button!)
  expect(write).toHaveBeenCalledWith(entry.entity_id)
  await waitFor(() => expect(useToasts.getState().toasts[0]?.title).toBe('ID copied'))
})

test("filters by the actor's email address and by the entity's title", async () => {
  const { user, requests } = mountApp('/admin/audit', answers, admin)
  await user.type(await screen.findByLabelText('Actor ID'), 'zoe@velour.test')
  await user.type(screen.getByLabelText('Entity name'), 'Dusk')
  await user.click(screen.getByRole('button', { name: 'Apply Filters' }))
  await waitFor(() =>
    expect(requests.at(-1)?.query).toMatchObject({
      actor_id: 'zoe@velour.test',
      entity_name: 'Dusk',
    }),
  )
})
