// Identifies this device to the server, which limits how many devices of an account play. All tabs of a browser share
// the id. Each account has its own, so that the id does not reveal who shares a browser.
import * as z from 'zod/mini'
import { readStorage, writeStorage } from '../queue/browser-storage.ts'
import { newUuid } from '../queue/player-id.ts'

const storageKey = (userId: string) => `velour-device-id:${userId}`

/** Returns the id of this device for an account. Undefined if storage is blocked: each tab then counts as a device. */
export function deviceId(userId: string): string | undefined {
  const kept = readStorage(storageKey(userId), z.uuid())
  if (kept) return kept
  const id = newUuid()
  return writeStorage(storageKey(userId), id) ? id : undefined
}
