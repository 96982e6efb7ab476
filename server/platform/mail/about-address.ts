// Decides whether a permanent failure means that the email address is invalid. The same rules apply to replies of the
// mail server and to bounces.

/**
 * `text` begins with the reply code or the status (RFC 3463), as in `550 5.1.1 No such user`. Failures caused by a
 * policy (X.7), the content (X.6), the size (X.3.4) or a refused relay don't mean that the address is invalid.
 */
export function isAboutAddress(text: string): boolean {
  const [status] = /\b5\.\d{1,3}\.\d{1,3}\b/.exec(text.slice(0, statusEnd)) ?? []
  return !/^5\.(?:[67]\.|3\.4$)/.test(status ?? '') && !/\brelay/i.test(text)
}

/** The status is within the first characters. Similar text after them may be a network address. */
const statusEnd = 16
