// Client-side validation of email addresses and passwords.

import { adminPasswordMinLength, passwordMaxLength, passwordMinLength } from '#contract/auth.ts'

export interface CredentialProblems {
  email?: string
  password?: string
}

export function emailProblem(email: string): string | undefined {
  if (!email.trim()) return 'Please enter your email address.'
  // A simplified version of the browser's rule for email inputs: something, an @, a host.
  if (!/^[^\s@]+@[^\s@]+$/.test(email.trim())) return 'Please enter a valid email address.'
  return undefined
}

export function newPasswordProblem(password: string): string | undefined {
  if (!password) return 'Please enter a password.'
  if (password.length < passwordMinLength) {
    return `Please use at least ${passwordMinLength} characters.`
  }
  if (password.length > passwordMaxLength) {
    return `Please use at most ${passwordMaxLength} characters.`
  }
  return undefined
}

export function newAdminPasswordProblem(password: string): string | undefined {
  const isShort = password !== '' && password.length < adminPasswordMinLength
  if (isShort) return `Please use at least ${adminPasswordMinLength} characters.`
  return newPasswordProblem(password)
}
