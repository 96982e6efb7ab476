// The menu item that keeps a track on this device. Downloads are built on the catalogue, so the app hands it in.
import { createContext, use, type ComponentType } from 'react'
import type { Track } from '#contract/tracks.ts'

const TrackDownloadContext = createContext<ComponentType<{ track: Track }> | null>(null)

export const TrackDownloadProvider = TrackDownloadContext.Provider

/** Nothing where no downloads are. */
export function TrackDownloadItem({ track }: { track: Track }) {
  const Item = use(TrackDownloadContext)
  return Item && <Item track={track} />
}
