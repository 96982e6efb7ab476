// What can be said about an address and a password before asking the server.

import { passwordMaxLength, passwordMinLength } from '#contract/auth.ts'

export interface CredentialProblems {
  email?: string
  password?: string
}

export function emailProblem(email: string): string | undefined {
  if (!email.trim()) return 'Please enter your email address.'
  // The browser's own rule for an input of type email, in short: something, an @, a host.
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
