// Serves security.txt, which says where to report a vulnerability (RFC 9116). The contact is the service's contact
// address or, if there is none, the URL of the site, whose pages name its owner. The first admin's address is not used,
// because it is a sign-in name.
import type { FastifyInstance } from 'fastify'
import { defaultContactEmail, type Config } from '../../platform/config/config.ts'
import type { Branding } from '../settings/branding.ts'

const path = '/.well-known/security.txt'
const dayMs = 86_400_000
/** Days until the file expires. The RFC recommends less than a year. */
const validDays = 180

export function securityTxtRoutes(
  app: FastifyInstance,
  {
    config,
    branding,
    now,
  }: {
    config: Pick<Config, 'publicUrl'>
    branding: () => Pick<Branding, 'contact_email'>
    now: () => Date
  },
): void {
  const { publicUrl } = config
  app.get(path, async (_request, reply) => {
    const { contact_email: email } = branding()
    // Percent-encode the email address: URIs allow few characters (RFC 6068), and a line break would end the line.
    const address = encodeURIComponent(email).replace('%40', '@')
    const contact = email === defaultContactEmail ? `${publicUrl}/` : `mailto:${address}`
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
