// The menu item that downloads a track. The download code depends on the catalogue code, so the app injects the item.
import { createContext, use, type ReactNode } from 'react'
import type { Track } from '#contract/tracks.ts'

type RenderItem = (track: Track) => ReactNode

const TrackDownloadContext = createContext<RenderItem>(() => null)

export const TrackDownloadProvider = TrackDownloadContext.Provider

/** Renders nothing if downloads are not available. */
export function TrackDownloadSlot({ track }: { track: Track }) {
  return use(TrackDownloadContext)(track)
}
