import { createHmac } from 'node:crypto'

/** The Cookie header of a session. */
export function buildSessionCookie(token: string, secret: string): string {
  const signature = createHmac('sha256', secret).update(token).digest('base64')
  return `velour.session_token=${encodeURIComponent(`${token}.${signature}`)}`
}
