import { newPasswordErrors } from '#contract/auth.ts'
import { ApiError } from './api.ts'

/** Returns the server's message about an invalid new password, to show at the field; undefined for any other error. */
export function refusedPassword(error: unknown): string | undefined {
  const codes: readonly string[] = [...newPasswordErrors, 'admin_password_too_short']
  return error instanceof ApiError && codes.includes(error.code) ? error.message : undefined
}
