import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { screenTitle, setScreenTitle, useDocumentTitle, usePlayingTitle } from './document-title.ts'

afterEach(cleanup)

function Titles({ screen, song }: { screen: string; song: string | null }) {
  useDocumentTitle(screen)
  usePlayingTitle(song)
  return null
}

function show(screen: string, song: string | null) {
  return (
    <QueryClientProvider client={new QueryClient()}>
      <Titles screen={screen} song={song} />
    </QueryClientProvider>
  )
}

test('shows the song title during playback, otherwise the screen title', () => {
  const { rerender, unmount } = render(show('Browse', null))
  expect(document.title).toBe('Browse · Velour')
  rerender(show('Browse', 'Velvet Weather · Velour Trio'))
  expect(document.title).toBe('Velvet Weather · Velour Trio – Velour')
  rerender(show('Browse', null))
  expect(document.title).toBe('Browse · Velour')
  rerender(show('Browse', 'Velvet Weather · Velour Trio'))
  unmount()
  expect(document.title).toBe('Browse · Velour')
})

test("keeps the song in the window title when the screen changes, while screenTitle returns the screen's title", () => {
  render(show('Browse', 'Velvet Weather · Velour Trio'))
  setScreenTitle('My Playlists · Velour')
  expect(document.title).toBe('Velvet Weather · Velour Trio – Velour')
  expect(screenTitle()).toBe('My Playlists · Velour')
})
