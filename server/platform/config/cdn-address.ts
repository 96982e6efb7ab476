// Signed URLs of a CDN in front of the store. They expire soon and the CDN's edge verifies them, so that it may cache
// the objects. Two formats: signed URLs as CloudFront defines them, and a timestamp with an HMAC as Cloudflare's rules
// verify it (is_timed_hmac_valid_v0).
import { createHmac, createSign } from 'node:crypto'

export interface CdnOptions {
  /** Base URL of the bucket at the CDN: an object is at this URL, a slash and its key. */
  url: string
  signing:
    | { kind: 'signed-url'; keyPairId: string; privateKey: string }
    | { kind: 'hmac'; secret: string }
}

/** A temporary URL from which anyone may read the object. The lifetime of an HMAC is set in the CDN's rule. */
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
  // The canned policy, byte for byte: the edge rebuilds the same text to verify the signature.
  const policy = `{"Statement":[{"Resource":"${address}","Condition":{"DateLessThan":{"AWS:EpochTime":${expires}}}}]}`
  const signature = createSign('RSA-SHA256').update(policy).sign(signing.privateKey, 'base64')
  const letters: Record<string, string> = { '+': '-', '=': '_', '/': '~' }
  const safe = signature.replaceAll(/[+=/]/g, (letter) => letters[letter]!)
  return `${address}?Expires=${expires}&Signature=${safe}&Key-Pair-Id=${signing.keyPairId}&Hash-Algorithm=SHA256`
}
