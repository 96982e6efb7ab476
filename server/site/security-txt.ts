// Where to report a hole (RFC 9116). The contact is CONTACT_EMAIL. The address of the first admin stays private, because
// it signs in; without CONTACT_EMAIL the contact is the service itself, whose pages name its owner.
import type { FastifyInstance } from 'fastify'
import { defaultContactEmail, type Config } from '../config.ts'

const path = '/.well-known/security.txt'
const dayMs = 86_400_000
/** The RFC recommends less than a year. */
const validDays = 180

export function securityTxtRoutes(
  app: FastifyInstance,
  { config, now }: { config: Pick<Config, 'contactEmail' | 'publicUrl'>; now: () => Date },
): void {
  const { contactEmail, publicUrl } = config
  // Of a mail address only these may stand in a URI (RFC 6068), and none may end the line.
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
