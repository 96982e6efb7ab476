import { cleanup, render, screen } from '@testing-library/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import type { TrackDetail } from '#contract/tracks.ts'
import { createQueryClient } from '../../app/query-client.ts'
import { makeTrackDetail } from '../../testing/track-fixture.ts'
import { trackDetailOptions } from '../player/playback/track-detail.ts'
import { OtherVersions } from './other-versions.tsx'

afterEach(cleanup)

function show(track: TrackDetail) {
  const client = createQueryClient()
  client.setQueryData(trackDetailOptions(track.id).queryKey, track)
  return render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <OtherVersions id={track.id} />
      </MemoryRouter>
    </QueryClientProvider>,
  )
}

test('links each version to its page', () => {
  const { id, title, artist, cover_url, cover_tint, cover_placeholder } = makeTrackDetail(2)
  const version = { id, title, artist, duration: 187, cover_url, cover_tint, cover_placeholder }
  show(makeTrackDetail(1, { versions: [version] }))
  expect(screen.getByRole('heading', { name: 'Other versions' })).toBeDefined()
  const link = screen.getByRole('link', { name: /Track 2/ })
  expect(link.getAttribute('href')).toBe(`/browse?track=${id}`)
  expect(link.textContent).toContain('3:07')
})

test('shows nothing if there are no other versions, or for a response of the previous release', () => {
  expect(show(makeTrackDetail(1)).container.textContent).toBe('')
  const { versions: _, ...older } = makeTrackDetail(3)
  expect(show(older as TrackDetail).container.textContent).toBe('')
})
