// Where whole files lie on this device, for the page and the service worker alike. Addresses are our own
// and name their owner; they exist nowhere else.
import { pictureUrl } from '#contract/pictures.ts'

const filesCache = 'velour-offline-files'

/** Null where the browser keeps nothing: an old one, or a page without a safe origin. */
export function openFiles(): Promise<Cache> | null {
  return typeof caches === 'undefined' ? null : caches.open(filesCache)
}

export async function deleteFiles(): Promise<void> {
  if (typeof caches !== 'undefined') await caches.delete(filesCache)
}

/** Address of a track's file, answered by the service worker. */
export function keptAudioUrl(userId: string, trackId: string): string {
  return `/offline/${userId}/${trackId}`
}

/** Whose file an address names; null for every other address. */
export function ownerOfKeptAudio(pathname: string): string | null {
  return /^\/offline\/([\w-]+)\/[\w-]+$/.exec(pathname)?.[1] ?? null
}

/** The sizes of a cover that are kept: one for lists, one for the full player. */
export function keptCoverUrls(coverUrl: string): string[] {
  return [pictureUrl(coverUrl, 384, 'webp'), pictureUrl(coverUrl, 1024, 'webp')]
}

/** The kept picture that stands in for the one asked for. */
export function keptCoverFor(pathname: string): string {
  return pictureUrl(pathname, /\/1024\./.test(pathname) ? 1024 : 384, 'webp')
}
