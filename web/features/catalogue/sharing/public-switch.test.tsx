import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createQueryClient } from '../../../app/query-client.ts'
import { siteQuery } from '../../../base/session/site.ts'
import { site } from '../../../testing/mount-app.tsx'
import { PublicSwitch, type PublicSwitchProps } from './public-switch.tsx'

const plain = { is_public: false, is_smart: false, share_url: '/my-playlists/1' }

test.each<[string, PublicSwitchProps['playlist'], string, RegExp]>([
  ['a new playlist', null, 'everyone', /anyone can open/],
  ['a private playlist', plain, 'everyone', /anyone can open/],
  ['a private playlist on a members-only site', plain, 'members', /^All members/],
  ['a smart playlist', { ...plain, is_smart: true }, 'everyone', /^All members/],
  [
    'a public playlist without a public page',
    { ...plain, is_public: true },
    'everyone',
    /^All members/,
  ],
  [
    'a playlist with a public page',
    { ...plain, is_public: true, share_url: '/p/rain' },
    'members',
    /anyone can/,
  ],
])('shows who can open %s', (_what, playlist, default_audience, hint) => {
  const client = createQueryClient()
  client.setQueryData(siteQuery.queryKey, { ...site, default_audience } as never)
  const { unmount } = render(
    <QueryClientProvider client={client}>
      <PublicSwitch playlist={playlist} checked={false} onChange={() => {}} />
    </QueryClientProvider>,
  )
  expect(screen.getByText(hint)).toBeTruthy()
  unmount()
})
