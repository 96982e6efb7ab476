// Where to report a vulnerability (RFC 9116). The contact is CONTACT_EMAIL. The first admin's address stays private,
// because it is a sign-in name; without CONTACT_EMAIL the contact is the service itself, whose pages name its owner.
import type { FastifyInstance } from 'fastify'
import { defaultContactEmail, type Config } from '../../platform/config/config.ts'

const path = '/.well-known/security.txt'
const dayMs = 86_400_000
/** The RFC recommends less than a year. */
const validDays = 180

export function securityTxtRoutes(
  app: FastifyInstance,
  { config, now }: { config: Pick<Config, 'contactEmail' | 'publicUrl'>; now: () => Date },
): void {
  const { contactEmail, publicUrl } = config
  // Percent-encode the mail address: a URI allows few characters (RFC 6068), and none may end the line.
  const address = encodeURIComponent(contactEmail).replace('%40', '@')
  const contact = contactEmail === defaultContactEmail ? `${publicUrl}/` : `mailto:${address}`
  app.get(path, async (_request, reply) => {
    const today = Math.floor(now().getTime() / dayMs)
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${new Date((today + validDays) * dayMs).toISOString()}`,
      'Preferred-Languages: en',
      `Canonical: ${publicUrl}${path}`,
    ]
    return reply
      .header('cache-control', 'public, max-age=86400')
      .type('text/plain; charset=utf-8')
      .send(`${lines.join('\n')}\n`)
  })
}
