// Storage of downloaded files, for the page and the service worker. The URLs exist only on this device and contain the
// owner's id.
import { pictureUrl } from '#contract/fields/pictures.ts'

const filesCache = 'velour-offline-files'

/**
 * Opens the storage of downloaded files. Null if the browser has no Cache API, because it is old or the context is
 * insecure.
 */
export function openFiles(): Promise<Cache> | null {
  return typeof caches === 'undefined' ? null : caches.open(filesCache)
}

export async function deleteFiles(): Promise<void> {
  if (typeof caches !== 'undefined') await caches.delete(filesCache)
}

/** Returns the URL of a downloaded track, which the service worker serves. */
export function getDownloadedAudioUrl(userId: string, trackId: string): string {
  return `/offline/${userId}/${trackId}`
}

/** Returns the id of the user who owns the file at a URL path; null for any other path. */
export function findAudioOwner(pathname: string): string | null {
  return /^\/offline\/([\w-]+)\/[\w-]+$/.exec(pathname)?.[1] ?? null
}

/** Returns the URLs of the stored sizes of a cover: one for lists, one for the full player. */
export function getStoredCoverUrls(coverUrl: string): string[] {
  return [pictureUrl(coverUrl, 384, 'webp'), pictureUrl(coverUrl, 1024, 'webp')]
}

/** Returns the URL of the stored image to serve for the requested one. */
export function selectStoredCover(pathname: string): string {
  return pictureUrl(pathname, /\/1024\./.test(pathname) ? 1024 : 384, 'webp')
}
