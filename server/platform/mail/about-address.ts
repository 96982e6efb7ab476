// Decides whether a permanent failure says that an address does not work. One rule for what the mail server answers and
// for bounces that arrive as mail.

/**
 * `text` begins with the code of the reply or the status (RFC 3463), as `550 5.1.1 No such user`. What is against a policy
 * (X.7), the content of the mail (X.6), its size (X.3.4) and a refused relay say nothing about the address.
 */
export function isAboutAddress(text: string): boolean {
  const [status] = /\b5\.\d{1,3}\.\d{1,3}\b/.exec(text.slice(0, statusEnd)) ?? []
  return !/^5\.(?:[67]\.|3\.4$)/.test(status ?? '') && !/\brelay/i.test(text)
}

/** A status stands at the beginning. What comes later may be an address of the network. */
const statusEnd = 16
