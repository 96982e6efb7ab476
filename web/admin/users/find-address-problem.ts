/** Returns why the text is not an email address. A simple form of the browsers' own rule: text, an @, and a host. */
export function findAddressProblem(email: string): string | undefined {
  return /^[^\s@]+@[^\s@]+$/.test(email.trim()) ? undefined : 'Please enter a valid email address.'
}
