// Lets `npm run doctor` check that a URL leads to its own service, and how requests arrive there. Its request (the
// probe) and the response are encrypted with the SECRET, so that only the operator can send a probe and read the
// response.
import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { SecretBox } from '../../platform/security/secret-box.ts'

export const probeHeader = 'velour-doctor'
const purpose = 'doctor'
/**
 * Value of X-Forwarded-For in the doctor's request. A proxy that handles the header appends the client's address or
 * replaces the value.
 */
export const probeAddress = '192.0.2.1'

const probe = z.object({ purpose: z.literal(purpose), nonce: z.uuid() })

/** How the doctor's request arrived at the server. */
const arrival = z.object({
  nonce: z.uuid(),
  /** The address at the other end of the connection: the nearest proxy, or the client itself. */
  peer: z.string(),
  /** The client address that the server determined. */
  sender: z.string(),
  host: z.string(),
  forwardedFor: z.string(),
})
export type Arrival = z.infer<typeof arrival>

export function sealProbe(secretBox: SecretBox): { nonce: string; sealed: string } {
  const nonce = randomUUID()
  return { nonce, sealed: secretBox.seal(JSON.stringify({ purpose, nonce })) }
}

/** Returns the encrypted response. Null if the request contains no probe of this installation. */
export function createProbeResponse(secretBox: SecretBox, request: FastifyRequest): string | null {
  const sealed = request.headers[probeHeader]
  if (typeof sealed !== 'string' || sealed.length > 1000) return null
  const opened = z.safeParse(probe, parse(secretBox.open(sealed)))
  if (!opened.success) return null
  const response: Arrival = {
    nonce: opened.data.nonce,
    peer: request.raw.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '',
    sender: request.ip.replace(/^::ffff:/, ''),
    host: request.raw.headers.host ?? '',
    forwardedFor: [request.raw.headers['x-forwarded-for'] ?? ''].flat().join(','),
  }
  return secretBox.seal(JSON.stringify(response))
}

/**
 * Decrypts the response. Null if it is from another service, from one with another SECRET, or from a version without
 * this check.
 */
export function readProbeResponse(
  secretBox: SecretBox,
  nonce: string,
  sealed: string | null,
): Arrival | null {
  const response = z.safeParse(arrival, parse(secretBox.open(sealed ?? '')))
  return response.success && response.data.nonce === nonce ? response.data : null
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
