// The code of a referral link, stored in this browser until sign-up, which may be days and pages later.
import { referralKeptDays } from '#contract/referrals.ts'

const storageKey = 'velour-referral'
const stored = /^([0-9a-z]{10}) (\d{13})$/

/** For browsers that block storage. */
let openCode: string | null = null

export function keepReferral(code: string, now = Date.now()): void {
  openCode = code
  storage()?.setItem(storageKey, `${code} ${now}`)
}

export function readReferral(now = Date.now()): string | null {
  const [, code, keptAt] = stored.exec(storage()?.getItem(storageKey) ?? '') ?? []
  const isFresh = now - Number(keptAt) < referralKeptDays * 86_400_000
  return code && isFresh ? code : openCode
}

export function forgetReferral(): void {
  openCode = null
  storage()?.removeItem(storageKey)
}

/** Null where the browser blocks storage. */
function storage(): Storage | null {
  try {
    return localStorage
  } catch {
    return null
  }
}
