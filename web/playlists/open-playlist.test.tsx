// One of the member's own playlists, opened in place.
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Playlist } from '#contract/playlists.ts'
import type { Track } from '#contract/tracks.ts'
import { makeTracks } from '../player/player-track-fixture.ts'
import { freeMember, mountApp, type Answers } from '../testing/mount-app.tsx'
import { useToasts } from '../ui/toast-store.ts'

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const id = '0191a0c0-0000-7000-8000-000000000010'
const address = `/api/playlists/${id}`

function makePlaylist(track_count: number): Playlist {
  return {
    id,
    title: 'Evening',
    description: null,
    cover_url: null,
    cover_tint: null,
    cover_placeholder: null,
    is_public: false,
    is_curated: false,
    created_by: freeMember.id,
    created_at: '2026-11-20T10:00:00.000Z',
    track_count,
    duration: 180 * track_count,
    mosaic: [],
    is_own: true,
  }
}

function trackPage(count: number, from = 0) {
  const data = makeTracks(from + count)
    .slice(from)
    .map((track, order_index): { id: string; order_index: number; track: Track } => ({
      id: track.id,
      order_index,
      track: {
        category: null,
        genre: null,
        description: null,
        tags: [],
        ai_tool: null,
        created_at: '2026-11-20T10:00:00.000Z',
        is_liked: false,
        ...track,
      },
    }))
  return { data, total: count }
}

function open(count: number, changes: Answers = {}) {
  const answers = {
    'GET /api/playlists': { data: [makePlaylist(count)], next_cursor: null },
    [`GET ${address}`]: makePlaylist(count),
    [`GET ${address}/tracks`]: trackPage(count),
    ...changes,
  }
  return mountApp(`/my-playlists?playlist=${id}`, answers, freeMember)
}

const toasts = () => useToasts.getState().toasts.map(({ title }) => title)
const removeAnswer = async () =>
  within(await screen.findByRole('alertdialog', { name: 'Remove Track?' })).getByRole('button', {
    name: 'Remove',
  })

test('the last track leaves with a word, though the list empties before all is known', async () => {
  let answerHead = () => {}
  const { user, answers } = open(1, {
    [`DELETE ${address}/tracks/${trackPage(1).data[0]!.id}`]: () => {
      answers[`GET ${address}/tracks`] = trackPage(0)
      answers[`GET ${address}`] = () =>
        new Promise((resolve) => {
          answerHead = () => resolve(makePlaylist(0))
        })
      return undefined
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Remove Track 1' }))
  await user.click(await removeAnswer())
  await screen.findByText('Nothing in here yet')
  answerHead()
  await waitFor(() => expect(toasts()).toContain('Track removed from playlist'))
  await waitFor(() => expect(document.querySelector('dialog[open]')).toBeNull())
})
