// Signed URLs of a CDN in front of the object store. They expire soon. The CDN verifies the signature of every
// request, so that it may cache the objects. Two formats: signed URLs as CloudFront defines them, and a timestamp
// with an HMAC as Cloudflare's rules verify it (is_timed_hmac_valid_v0).
import { createHmac, createSign } from 'node:crypto'

export interface CdnOptions {
  /** Base URL of the bucket at the CDN. The URL of an object is this URL, a slash and the object's key. */
  url: string
  signing:
    | { kind: 'signed-url'; keyPairId: string; privateKey: string }
    | { kind: 'hmac'; secret: string }
}

/**
 * Returns a temporary URL from which anyone may read the object. The lifetime of an HMAC is set in the CDN's rule.
 */
export function signCdnUrl(
  { url, signing }: CdnOptions,
  key: string,
  { nowMs, lifetimeSeconds }: { nowMs: number; lifetimeSeconds: number },
): string {
  const address = `${url}/${key}`
  const nowSeconds = Math.floor(nowMs / 1000)
  if (signing.kind === 'hmac') {
    const { pathname } = new URL(address)
    const mac = createHmac('sha256', signing.secret).update(`${pathname}${nowSeconds}`)
    return `${address}?verify=${nowSeconds}-${encodeURIComponent(mac.digest('base64'))}`
  }
  const expires = nowSeconds + lifetimeSeconds
  // CloudFront rebuilds this "canned policy" to verify the signature, so the text must match byte for byte.
  const policy = `{"Statement":[{"Resource":"${address}","Condition":{"DateLessThan":{"AWS:EpochTime":${expires}}}}]}`
  const signature = createSign('RSA-SHA256').update(policy).sign(signing.privateKey, 'base64')
  const letters: Record<string, string> = { '+': '-', '=': '_', '/': '~' }
  const safe = signature.replaceAll(/[+=/]/g, (letter) => letters[letter]!)
  return `${address}?Expires=${expires}&Signature=${safe}&Key-Pair-Id=${signing.keyPairId}&Hash-Algorithm=SHA256`
}
