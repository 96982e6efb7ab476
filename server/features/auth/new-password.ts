// Rules for new passwords. Passwords set before the rules were introduced stay valid.
import { hashPassword } from 'better-auth/crypto'
import { adminPasswordMinLength, passwordMaxLength, passwordMinLength } from '#contract/auth.ts'
import type { Role } from '#contract/plans.ts'
import { AppError } from '../../platform/operations/app-error.ts'

/** A password with fewer distinct characters is trivial to guess, even if no list of common passwords contains it. */
const minDifferentCharacters = 3

/** Throws `password_too_short`, `password_too_long`, `admin_password_too_short` or `password_too_common`. */
export async function checkNewPassword(password: string, role: Role = 'member'): Promise<void> {
  if (password.length < passwordMinLength) throw new AppError('password_too_short')
  if (password.length > passwordMaxLength) throw new AppError('password_too_long')
  if (role === 'admin' && password.length < adminPasswordMinLength) {
    throw new AppError('admin_password_too_short')
  }
  const folded = password.toLowerCase()
  const isCommon = new Set(folded).size < minDifferentCharacters
  if (isCommon || (await commonPasswords()).has(folded)) throw new AppError('password_too_common')
}

/**
 * Returns the scrypt hash that the sign-in compares with. Takes tens of milliseconds by design, so call it before a
 * transaction, not inside one. Throws like checkNewPassword.
 */
export async function hashNewPassword(password: string, role?: Role): Promise<string> {
  await checkNewPassword(password, role)
  return hashPassword(password)
}

let loading: Promise<ReadonlySet<string>> | undefined

/** Common passwords, in lower case. Loaded on first use: 5 MB that a worker never needs. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  loading ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) =>
      new Set(dictionary['passwords-common'].map((each) => String(each).toLowerCase())),
  )
  return loading
}
