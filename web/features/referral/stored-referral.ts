// The code of a referral link, stored in this browser until sign-up, which may be days and pages later.
import { referralStoredDays } from '#contract/referrals.ts'

const storageKey = 'velour-referral'
const storedPattern = /^([0-9a-z]{10}) (\d{13})$/

/** The code, if the browser blocks storage. */
let codeInMemory: string | null = null

export function storeReferral(code: string, now = Date.now()): void {
  codeInMemory = code
  storage()?.setItem(storageKey, `${code} ${now}`)
}

export function readReferral(now = Date.now()): string | null {
  const [, code, storedAt] = storedPattern.exec(storage()?.getItem(storageKey) ?? '') ?? []
  const isFresh = now - Number(storedAt) < referralStoredDays * 86_400_000
  return code && isFresh ? code : codeInMemory
}

export function clearReferral(): void {
  codeInMemory = null
  storage()?.removeItem(storageKey)
}

/** Returns the browser's storage; null if the browser blocks storage. */
function storage(): Storage | null {
  try {
    return localStorage
  } catch {
    return null
  }
}
