// What an email address and a password must be, and how passwords are kept.
import { hashPassword } from 'better-auth/crypto'
import * as z from 'zod/mini'
import { emailMaxLength, passwordMaxLength, passwordMinLength } from '#contract/auth.ts'
import { AppError } from '../http/app-error.ts'

const emailAddress = z.string().check(
  z.trim(),
  z.toLowerCase(),
  z.maxLength(emailMaxLength),
  z.email(),
  // RFC 5321 §4.5.3.1.1: no mail server has to take more before the @.
  z.refine((address) => address.indexOf('@') <= 64),
)

/** The address as it is stored: trimmed and in lower case. Throws `invalid_email`. */
export function parseEmail(text: string): string {
  const result = z.safeParse(emailAddress, text)
  if (!result.success) throw new AppError('invalid_email')
  return result.data
}

/** Throws `password_too_short` or `password_too_long`. */
export function checkNewPassword(password: string): void {
  if (password.length < passwordMinLength) throw new AppError('password_too_short')
  if (password.length > passwordMaxLength) throw new AppError('password_too_long')
}

/**
 * The scrypt hash that sign-in verifies. Takes tens of milliseconds on purpose: make it before a
 * transaction, not inside. Throws like checkNewPassword.
 */
export async function hashNewPassword(password: string): Promise<string> {
  checkNewPassword(password)
  return hashPassword(password)
}
