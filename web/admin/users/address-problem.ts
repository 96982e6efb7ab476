/** A simplified version of the browser's rule for e-mail addresses: text, an @, a host. */
export function addressProblem(email: string): string | undefined {
  return /^[^\s@]+@[^\s@]+$/.test(email.trim()) ? undefined : 'Please enter a valid email address.'
}
