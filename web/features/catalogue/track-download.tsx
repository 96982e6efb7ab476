// The menu item that keeps a track on this device. Downloads are built on the catalogue, so the app hands it in.
import { createContext, use, type ReactNode } from 'react'
import type { Track } from '#contract/tracks.ts'

type RenderItem = (track: Track) => ReactNode

const TrackDownloadContext = createContext<RenderItem>(() => null)

export const TrackDownloadProvider = TrackDownloadContext.Provider

/** Nothing where no downloads are. */
export function TrackDownloadSlot({ track }: { track: Track }) {
  return use(TrackDownloadContext)(track)
}
