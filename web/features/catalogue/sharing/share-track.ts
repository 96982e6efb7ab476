// Shares the URL of a track or release with the device's share sheet, otherwise copies it to the clipboard.
import { pageKinds, pagePrefixes, recordShare } from '#contract/public-pages.ts'
import type { Track } from '#contract/tracks.ts'
import { call } from '../../../base/api/api.ts'
import { copyText } from '../../../base/browser/copy-text.ts'
import { showError } from '../../../base/api/show-error.ts'
import { showToast } from '../../../base/ui/overlays/toast-store.ts'

type Shared = Pick<Track, 'id' | 'title' | 'artist'> & {
  /** Absent in saved queues, downloads, and responses of the previous version. */
  share_url?: string | undefined
}

/** Returns the URL of the public page. Without a public page, returns the path in the app, which requires sign-in. */
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
      await navigator.share({ title, text: artist ? `${title} by ${artist}` : title, url })
      return
    } catch (error) {
      // A canceled share is not an error. After any other error, copy the link instead.
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

/** Returns the HTML of the iframe that embeds the public page; null without a public page. */
export function embedCode({ title, artist, share_url }: Omit<Shared, 'id'>): string | null {
  if (!share_url || !parsePagePath(share_url)) return null
  const src = new URL(`/embed${share_url}`, location.origin).href
  const name = `${title} by ${artist}`.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return `<iframe src="${src}" width="100%" height="180" loading="lazy" title="${name}" style="border:0;border-radius:14px" allow="autoplay; encrypted-media"></iframe>`
}

export async function copyEmbedCode(code: string): Promise<void> {
  try {
    await copyText(code)
    showToast({ tone: 'success', title: 'Embed code copied' })
  } catch (error) {
    showError(error, 'The embed code could not be copied.')
  }
}

/** Counts a share for the owner's insights. Failures are ignored, because the share itself succeeded. */
function countShare(url: string): void {
  const page = parsePagePath(new URL(url).pathname)
  if (page) call(recordShare, { body: page }).catch(() => {})
}

/** Returns the kind and slug of the public page at a path. */
function parsePagePath(path: string) {
  const [, prefix, slug] = /^\/([a-z])\/([^/]+)$/.exec(path) ?? []
  const kind = pageKinds.find((one) => pagePrefixes[one] === prefix)
  return kind && slug ? { kind, slug } : null
}
