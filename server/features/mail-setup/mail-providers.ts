// The SPF mechanisms (such as `include:_spf.google.com`) of known mail providers.

/** The domain for SPF's `include`, by the end of the mail server's host name. */
const includes: Record<string, string> = {
  'gmail.com': '_spf.google.com',
  'google.com': '_spf.google.com',
  'amazonaws.com': 'amazonses.com',
  'sendgrid.net': 'sendgrid.net',
  'mailgun.org': 'mailgun.org',
  'postmarkapp.com': 'spf.mtasv.net',
  'office365.com': 'spf.protection.outlook.com',
  'outlook.com': 'spf.protection.outlook.com',
  'fastmail.com': 'spf.messagingengine.com',
  'messagingengine.com': 'spf.messagingengine.com',
  'mailjet.com': 'spf.mailjet.com',
  'zoho.com': 'zoho.com',
  'zoho.eu': 'zoho.eu',
  'ovh.net': 'mx.ovh.com',
  'gandi.net': '_mailcust.gandi.net',
  'infomaniak.com': 'spf.infomaniak.ch',
}

/** Returns the SPF mechanism for a mail server. Null if the provider is not in this list. */
export function findSpfMechanism(host: string, domain: string): string | null {
  const name = host.toLowerCase()
  const known = Object.entries(includes).find(([end]) => name === end || name.endsWith(`.${end}`))
  if (known) return `include:${known[1]}`
  return name === domain || name.endsWith(`.${domain}`) ? `a:${name}` : null
}
