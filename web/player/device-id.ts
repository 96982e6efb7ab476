// Which device this is for the server that counts how many of an account play. All tabs of a browser share it. Each
// member has another one, so that it does not tell who shares a browser.
import * as z from 'zod/mini'
import { read, write } from './browser-storage.ts'
import { newUuid } from './player-id.ts'

const storageKey = (userId: string) => `velour-device-id:${userId}`

/** Undefined where the browser forbids storage: then each tab counts as a device. */
export function deviceId(userId: string): string | undefined {
  const kept = read(storageKey(userId), z.uuid())
  if (kept) return kept
  const id = newUuid()
  return write(storageKey(userId), id) ? id : undefined
}
