// Who is signed in, for every screen, and the acts that change it. The cookie itself is HttpOnly:
// this side only ever asks the server.
import { useQuery, type QueryClient } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import * as contract from '#contract/auth.ts'
import { getProfile, type Profile } from '#contract/profiles.ts'
import { endAllSessions } from '#contract/sessions.ts'
import { forgetKept } from '../offline/forget-kept.ts'
import { keptProfile } from '../offline/kept-answers.ts'
import { orKept } from '../offline/or-kept.ts'
import { ApiError, call } from './api.ts'
import { finishBeforeSignOut } from './before-sign-out.ts'

let replacing: Promise<unknown> | null = null
let isLeaving = false
let leftKey: string | null = null

/** Whether the session that is over was ended in this window, and not somewhere else. */
export const endedHere = () => isLeaving

/** Whether the person signed out at this entry of the history: nobody is led back to it. */
export const isLeftEntry = (locationKey: string) => locationKey === leftKey

export const sessionQuery = {
  queryKey: ['session'] as const,
  queryFn: orKept(async () => {
    await replacing
    return (await call(getProfile, {})).data
  }, keptProfile),
  staleTime: 60_000,
}

export type Session =
  | { status: 'loading'; user?: undefined }
  | { status: 'signed-out'; user?: undefined }
  /** Nobody could be asked, and this device does not know it either. */
  | { status: 'unknown'; user?: undefined }
  | { status: 'signed-in'; user: Profile }

/** Around a screen that is kept over the end of its session: it goes on seeing its member. */
export const KeptMember = createContext<Profile | null>(null)

/** The session as last known; asks again when the window gets the focus back. */
export function useSession(): Session {
  const kept = useContext(KeptMember)
  const { data, isPending, error } = useQuery(sessionQuery)
  if (kept) return { status: 'signed-in', user: kept }
  if (isPending) return { status: 'loading' }
  if (data === undefined && error instanceof ApiError && error.code === 'network') {
    return { status: 'unknown' }
  }
  return data ? { status: 'signed-in', user: data } : { status: 'signed-out' }
}

/** The member as last known, for code outside of components; null: nobody is signed in, or it is not known. */
export function knownMember(queryClient: QueryClient): Profile | null {
  return queryClient.getQueryData<Profile | null>(sessionQuery.queryKey) ?? null
}

/** Creates the account; does not sign in. True: the address has to be confirmed first. */
export async function signUp(
  email: string,
  password: string,
  redirectTo: string | null,
): Promise<boolean> {
  const body = { email, password, ...(redirectTo !== null && { redirectTo }) }
  const { confirmEmail } = await call(contract.signUp, { body })
  return confirmEmail
}

/** True: signed in. False: the account wants a second factor first. */
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
 * Ends the session here, or all of them; the cache forgets everything that belonged to it.
 * @param locationKey the entry of the history that the person leaves by it
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
  await forgetKept()
  queryClient.setQueryData(sessionQuery.queryKey, null)
}

/** Mails a link; `redirectTo` is where the person goes on after choosing the new password. */
export async function requestPasswordReset(email: string, redirectTo: string): Promise<void> {
  await call(contract.requestPasswordReset, { body: { email, redirectTo } })
}

export async function resetPassword(token: string, newPassword: string): Promise<void> {
  await call(contract.resetPassword, { body: { token, newPassword } })
}

/** The second step of signing in: a code of the authenticator app, or a recovery code. */
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
 * An act after which the server knows this browser by a new cookie. Until the answer has brought it the
 * old one is void already, so whoever asks meanwhile who is signed in waits for it.
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

/** Asks the server again who is signed in. */
export async function refreshSession(queryClient: QueryClient): Promise<void> {
  isLeaving = false
  leftKey = null
  await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
}
