// The current session, for every screen, and the actions that change it. The cookie is HttpOnly, so the client always
// requests it from the server.
import { useQuery, type QueryClient } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import * as contract from '#contract/auth.ts'
import { getProfile, type Profile } from '#contract/profiles.ts'
import { endAllSessions } from '#contract/sessions.ts'
import { removeAllDownloads } from '../offline-store/remove-downloads.ts'
import { readOfflineProfile } from '../offline-store/read-downloads.ts'
import { withDownloadFallback } from '../offline-store/download-fallback.ts'
import { ApiError, call } from '../api/api.ts'
import { finishBeforeSignOut } from './before-sign-out.ts'

let replacing: Promise<unknown> | null = null
let isLeaving = false
let leftKey: string | null = null

/** True if this window ended the session; false if it was ended elsewhere. */
export const wasEndedHere = () => isLeaving

/** True if the user signed out at this history entry. Sign-in must not return to such an entry. */
export const isLeftEntry = (locationKey: string) => locationKey === leftKey

export const sessionQuery = {
  queryKey: ['session'] as const,
  queryFn: withDownloadFallback(async () => {
    await replacing
    return (await call(getProfile, {})).data
  }, readOfflineProfile),
  staleTime: 60_000,
}

export type Session =
  | { status: 'loading'; user?: undefined }
  | { status: 'signed-out'; user?: undefined }
  /** The server is unreachable, and no signed-in user is stored on this device. */
  | { status: 'unknown'; user?: undefined }
  | { status: 'signed-in'; user: Profile }

/** The user of a screen that stays mounted after its session has ended; null for other screens. */
export const LostSessionUser = createContext<Profile | null>(null)

/** Returns the last known session, which is refetched when the window gets the focus. */
export function useSession(): Session {
  const kept = useContext(LostSessionUser)
  const { data, isPending, error } = useQuery(sessionQuery)
  if (kept) return { status: 'signed-in', user: kept }
  if (isPending) return { status: 'loading' }
  if (data === undefined && error instanceof ApiError && error.code === 'network') {
    return { status: 'unknown' }
  }
  return data ? { status: 'signed-in', user: data } : { status: 'signed-out' }
}

/** Returns the last known user, for code outside components; null when signed out or unknown. */
export function getKnownMember(queryClient: QueryClient): Profile | null {
  return queryClient.getQueryData<Profile | null>(sessionQuery.queryKey) ?? null
}

/** Creates the account without signing in. Returns true if the email address must be confirmed first. */
export async function signUp(
  email: string,
  password: string,
  { redirectTo, referralCode }: { redirectTo: string | null; referralCode: string | null },
): Promise<boolean> {
  const body = {
    email,
    password,
    ...(redirectTo !== null && { redirectTo }),
    ...(referralCode !== null && { referral_code: referralCode }),
  }
  const { confirmEmail } = await call(contract.signUp, { body })
  return confirmEmail
}

/** Returns true when signed in, false when the account requires a second factor. */
export async function signIn(
  queryClient: QueryClient,
  email: string,
  password: string,
): Promise<boolean> {
  const { twoFactorRedirect } = await call(contract.signIn, { body: { email, password } })
  if (twoFactorRedirect) return false
  await refreshSession(queryClient)
  return true
}

/**
 * Ends this session or all of them, and removes the user's data from the cache.
 * @param locationKey the history entry at which the user signs out
 */
export async function signOut(
  queryClient: QueryClient,
  locationKey: string,
  place: 'here' | 'everywhere' = 'here',
): Promise<void> {
  isLeaving = true
  leftKey = locationKey
  try {
    await finishBeforeSignOut()
    if (place === 'everywhere') await call(endAllSessions, {})
    await call(contract.signOut, {})
  } catch (error) {
    isLeaving = false
    throw error
  }
  await removeAllDownloads()
  queryClient.setQueryData(sessionQuery.queryKey, null)
}

/** Sends a reset link by email; `redirectTo` is where the user continues after choosing the new password. */
export async function requestPasswordReset(email: string, redirectTo: string): Promise<void> {
  await call(contract.requestPasswordReset, { body: { email, redirectTo } })
}

export async function resetPassword(token: string, newPassword: string): Promise<void> {
  await call(contract.resetPassword, { body: { token, newPassword } })
}

/** Completes sign-in with the second factor: a code from the authenticator app, or a recovery code. */
export async function verifySecondFactor(
  queryClient: QueryClient,
  kind: 'authenticator' | 'recovery',
  code: string,
): Promise<void> {
  const operation = kind === 'recovery' ? contract.verifyBackupCode : contract.verifyTotp
  await call(operation, { body: { code } })
  await refreshSession(queryClient)
}

/**
 * Runs an action after which the server identifies this browser by a new cookie. The old cookie becomes invalid before
 * the response with the new one arrives, so session queries wait for the action.
 */
export async function replaceSession(
  queryClient: QueryClient,
  act: () => Promise<unknown>,
): Promise<void> {
  await queryClient.cancelQueries(sessionQuery)
  const work = act()
  replacing = work.catch(() => {})
  try {
    await work
  } finally {
    replacing = null
  }
  await refreshSession(queryClient)
}

/** Fetches the session again. */
export async function refreshSession(queryClient: QueryClient): Promise<void> {
  isLeaving = false
  leftKey = null
  await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
}
