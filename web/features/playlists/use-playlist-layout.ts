// Grid or list layout of playlists, stored on this device.
import { useState } from 'react'
import type { PlaylistLayout } from '../catalogue/cards/playlist-card.tsx'

const storageKey = 'velour.playlist-layout'

export function usePlaylistLayout(): [PlaylistLayout, (layout: PlaylistLayout) => void] {
  const [layout, setLayout] = useState<PlaylistLayout>(() =>
    localStorage.getItem(storageKey) === 'list' ? 'list' : 'grid',
  )
  return [
    layout,
    (chosen) => {
      localStorage.setItem(storageKey, chosen)
      setLayout(chosen)
    },
  ]
}
