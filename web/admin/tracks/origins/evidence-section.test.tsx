// Tests the files that document how a track was made. Only the network is simulated.
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import '../../../testing/browser-gaps.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TrackEvidence } from '#contract/admin/track-evidence.ts'
import { createQueryClient } from '../../../app/query-client.ts'
import { EvidenceSection } from './evidence-section.tsx'

const trackId = '00000000-0000-7000-8000-000000000001'
const file: TrackEvidence = {
  id: '00000000-0000-7000-8000-00000000000e',
  filename: 'receipt.pdf',
  mime: 'application/pdf',
  byte_size: 2048,
  sha256: 'a'.repeat(64),
  created_at: '2026-11-20T10:00:00.000Z',
}
let files: TrackEvidence[]
let calls: string[]

beforeEach(() => {
  files = [file]
  calls = []
  vi.stubGlobal('fetch', async (url: string, { method = 'GET' }: RequestInit = {}) => {
    calls.push(`${method} ${url}`)
    if (method === 'GET') return Response.json({ data: files })
    return new Response(null, { status: 204 })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function open() {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <EvidenceSection trackId={trackId} />
    </QueryClientProvider>,
  )
  return userEvent.setup()
}

test('lists the files with download links, and deletes one after a confirmation', async () => {
  const user = open()
  const link = await screen.findByRole('link', { name: 'receipt.pdf' })
  expect(link.getAttribute('href')).toBe(`/api/admin-tracks/${trackId}/evidence/${file.id}/file`)
  expect(link.getAttribute('download')).toBe('receipt.pdf')
  await user.click(screen.getByRole('button', { name: 'Delete receipt.pdf' }))
  expect(calls.some((call) => call.startsWith('DELETE'))).toBe(false)
  await user.click(await screen.findByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(screen.queryByRole('link', { name: 'receipt.pdf' })).toBeNull())
  expect(calls).toContain(`DELETE /api/admin-tracks/${trackId}/evidence/${file.id}`)
})

test('cannot add an eleventh file', async () => {
  files = Array.from({ length: 10 }, (_, at) => ({ ...file, id: `${file.id}${at}` }))
  open()
  await screen.findByText('A track has at most 10 files.')
  expect(screen.getByRole('button', { name: 'Add Evidence' })).toHaveProperty('disabled', true)
})
