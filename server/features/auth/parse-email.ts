// Validates email addresses.
import * as z from 'zod/mini'
import { emailMaxLength } from '#contract/auth.ts'
import { AppError } from '../../platform/operations/app-error.ts'

const emailAddress = z.string().check(
  z.trim(),
  z.toLowerCase(),
  z.maxLength(emailMaxLength),
  z.email(),
  // RFC 5321 §4.5.3.1.1: mail servers may reject addresses with more than 64 characters before the @.
  z.refine((address) => address.indexOf('@') <= 64),
)

/** Returns the address as it is stored: trimmed and in lower case. Throws `invalid_email`. */
export function parseEmail(text: string): string {
  const result = z.safeParse(emailAddress, text)
  if (!result.success) throw new AppError('invalid_email')
  return result.data
}
