import { createHmac } from 'node:crypto'

/** Returns the Cookie header for a session with this token. */
export function buildSessionCookie(token: string, secret: string): string {
  const signature = createHmac('sha256', secret).update(token).digest('base64')
  return `velour.session_token=${encodeURIComponent(`${token}.${signature}`)}`
}
