// Addresses of a CDN in front of the store: they end soon, and the CDN itself checks them at its edge, so that it may keep
// what it sends. Two ways of signing: signed URLs as CloudFront defines them, and a time with an HMAC as Cloudflare's rules
// check it (is_timed_hmac_valid_v0).
import { createHmac, createSign } from 'node:crypto'

export interface CdnOptions {
  /** Where the CDN has the bucket: an object is at this address, a slash and its key. */
  url: string
  signing:
    | { kind: 'signed-url'; keyPairId: string; privateKey: string }
    | { kind: 'hmac'; secret: string }
}

/** An address from which anyone may read the object for so long; an HMAC's lifetime is what the CDN's rule says. */
export function signCdnAddress(
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
  // The canned policy, to the letter: the edge puts the same text together again.
  const policy = `{"Statement":[{"Resource":"${address}","Condition":{"DateLessThan":{"AWS:EpochTime":${expires}}}}]}`
  const signature = createSign('RSA-SHA256').update(policy).sign(signing.privateKey, 'base64')
  const letters: Record<string, string> = { '+': '-', '=': '_', '/': '~' }
  const safe = signature.replaceAll(/[+=/]/g, (letter) => letters[letter]!)
  return `${address}?Expires=${expires}&Signature=${safe}&Key-Pair-Id=${signing.keyPairId}&Hash-Algorithm=SHA256`
}
