import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createQueryClient } from '../../../app/query-client.ts'
import { siteQuery } from '../../../base/session/site.ts'
import { site } from '../../../testing/mount-app.tsx'
import { PublicSwitch, type PublicSwitchProps } from './public-switch.tsx'

const plain = { is_public: false, is_smart: false, share_url: '/my-playlists/1' }

test.each<[string, PublicSwitchProps['playlist'], string, RegExp]>([
  ['a new one', null, 'everyone', /anyone may open/],
  ['a private one', plain, 'everyone', /anyone may open/],
  ['where new music is for members', plain, 'members', /^Every member/],
  ['a smart one', { ...plain, is_smart: true }, 'everyone', /^Every member/],
  ['one that was public for members', { ...plain, is_public: true }, 'everyone', /^Every member/],
  ['one with a page', { ...plain, is_public: true, share_url: '/p/rain' }, 'members', /anyone may/],
])('says for whom it is: %s', (_what, playlist, default_audience, hint) => {
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
