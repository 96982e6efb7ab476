/** A simplified version of the browser's rule for email addresses: text, an @, and a host. */
export function findAddressProblem(email: string): string | undefined {
  return /^[^\s@]+@[^\s@]+$/.test(email.trim()) ? undefined : 'Please enter a valid email address.'
}
