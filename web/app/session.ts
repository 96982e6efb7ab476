// Who is signed in, for every screen, and the acts that change it. The cookie itself is HttpOnly:
// this side only ever asks the server.
import { useQuery, type QueryClient } from '@tanstack/react-query'
import { getProfile, type Profile } from '#contract/profiles.ts'
import { call, send } from './api.ts'

export const sessionQuery = {
  queryKey: ['session'] as const,
  queryFn: async () => (await call(getProfile, {})).data,
  staleTime: 60_000,
}

export type Session =
  | { status: 'loading'; user?: undefined }
  | { status: 'signed-out'; user?: undefined }
  | { status: 'signed-in'; user: Profile }

/** The session as last known; asks again when the window gets the focus back. */
export function useSession(): Session {
  const { data, isPending } = useQuery(sessionQuery)
  if (isPending) return { status: 'loading' }
  return data ? { status: 'signed-in', user: data } : { status: 'signed-out' }
}

/** Creates the account; does not sign in. */
export async function signUp(email: string, password: string): Promise<void> {
  await send('/api/auth/sign-up/email', { method: 'POST', body: { email, password, name: '' } })
}

/** True: signed in. False: the account wants a second factor first. */
export async function signIn(
  queryClient: QueryClient,
  email: string,
  password: string,
): Promise<boolean> {
  const response = await send('/api/auth/sign-in/email', {
    method: 'POST',
    body: { email, password, rememberMe: true },
  })
  const answer = (await response.json()) as { twoFactorRedirect?: boolean }
  if (answer.twoFactorRedirect) return false
  await refreshSession(queryClient)
  return true
}

/** Ends the session here and forgets everything that belonged to it. */
export async function signOut(queryClient: QueryClient): Promise<void> {
  await send('/api/auth/sign-out', { method: 'POST', body: {} })
  queryClient.setQueryData(sessionQuery.queryKey, null)
  queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== sessionQuery.queryKey[0] })
}

export async function requestPasswordReset(email: string, redirectTo: string): Promise<void> {
  await send('/api/auth/request-password-reset', { method: 'POST', body: { email, redirectTo } })
}

export async function resetPassword(token: string, newPassword: string): Promise<void> {
  await send('/api/auth/reset-password', { method: 'POST', body: { token, newPassword } })
}

/** Asks the server again who is signed in. */
export async function refreshSession(queryClient: QueryClient): Promise<void> {
  await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
}
