// Passes the address of a track on: by the device's own share sheet, else by the clipboard.
import type { Track } from '#contract/tracks.ts'
import { copyText } from '../app/copy-text.ts'
import { showError } from '../app/show-error.ts'
import { showToast } from '../ui/toast-store.ts'

/** Where a shared track opens. */
export function trackLink(id: string): string {
  return new URL(`/browse?track=${id}`, location.origin).href
}

export async function shareTrack(track: Pick<Track, 'id' | 'title' | 'artist'>): Promise<void> {
  const url = trackLink(track.id)
  if (typeof navigator.share === 'function') {
    try {
      await navigator.share({ title: track.title, text: `${track.title} by ${track.artist}`, url })
      return
    } catch (error) {
      // Changing one's mind is not a failure; anything else leaves the clipboard.
      if (error instanceof DOMException && error.name === 'AbortError') return
    }
  }
  try {
    await copyText(url)
    showToast({ tone: 'success', title: 'Share link copied to clipboard!' })
  } catch (error) {
    showError(error, `The link could not be copied: ${url}`)
  }
}
