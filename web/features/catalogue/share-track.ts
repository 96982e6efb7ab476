// Shares the URL of a track or release with the device's share sheet, else copies it to the clipboard.
import { pageKinds, pagePrefixes, recordShare } from '#contract/public-pages.ts'
import type { Track } from '#contract/tracks.ts'
import { call } from '../../base/api/api.ts'
import { copyText } from '../../base/browser/copy-text.ts'
import { showError } from '../../base/api/show-error.ts'
import { showToast } from '../../base/ui/overlays/toast-store.ts'

type Shared = Pick<Track, 'id' | 'title' | 'artist'> & {
  /** Saved queues, downloads, and the previous version of the server have none. */
  share_url?: string | undefined
}

/** The public page, or the path in the app, which leads back after signing in. */
export function trackLink({ id, share_url }: Pick<Shared, 'id' | 'share_url'>): string {
  return new URL(share_url ?? `/browse?track=${id}`, location.origin).href
}

export function shareTrack(track: Shared): Promise<void> {
  return shareLink(track, trackLink(track))
}

/** Shares a URL, or a path of this site. */
export async function shareLink(
  { title, artist }: Pick<Track, 'title' | 'artist'>,
  link: string,
): Promise<void> {
  const url = new URL(link, location.origin).href
  countShare(url)
  if (typeof navigator.share === 'function') {
    try {
      await navigator.share({ title, text: `${title} by ${artist}`, url })
      return
    } catch (error) {
      // A canceled share is not an error. After any other error, fall back to the clipboard.
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

/** For the owner's figures. It is nothing to wait for, and no failure of sharing. */
function countShare(url: string): void {
  const [, prefix, slug] = /^\/([a-z])\/([^/]+)$/.exec(new URL(url).pathname) ?? []
  const kind = pageKinds.find((one) => pagePrefixes[one] === prefix)
  if (kind && slug) call(recordShare, { body: { kind, slug } }).catch(() => {})
}
