import { newPasswordErrors } from '#contract/auth.ts'
import { ApiError } from './api.ts'

/** What the server found wrong with a new password, for the field; undefined: it refused for another reason. */
export function refusedPassword(error: unknown): string | undefined {
  const codes: readonly string[] = [...newPasswordErrors, 'admin_password_too_short']
  return error instanceof ApiError && codes.includes(error.code) ? error.message : undefined
}
