// Encrypts a push message for a browser, so that the push service cannot read it (RFC 8291). The message is one record
// (RFC 8188).
import { createCipheriv, createECDH, ECDH, hkdfSync, randomBytes } from 'node:crypto'

export interface ReceiverKeys {
  p256dh: string
  auth: string
}

const curve = 'prime256v1'
const pointBytes = 65
const authBytes = 16
const recordSize = 4096
/** The delimiter that marks the last record (RFC 8188 §2). */
const lastRecord = Buffer.from([2])

/** Whether the keys are valid: `p256dh` is a point on the curve P-256, and `auth` has 16 bytes. */
export function areValidReceiverKeys({ p256dh, auth }: ReceiverKeys): boolean {
  const point = Buffer.from(p256dh, 'base64url')
  if (point.length !== pointBytes || Buffer.from(auth, 'base64url').length !== authBytes)
    return false
  try {
    ECDH.convertKey(point, curve, undefined, undefined, 'uncompressed')
    return true
  } catch {
    // `convertKey` throws if the point is not on the curve.
    return false
  }
}

/** Encrypts a message. Only tests pass `once`, which sets the sender's key and the salt. */
export function encryptPush(
  text: string,
  { p256dh, auth }: ReceiverKeys,
  once: { privateKey?: Buffer; salt?: Buffer } = {},
): Buffer {
  const { salt = randomBytes(16) } = once
  const sender = createECDH(curve)
  if (once.privateKey) sender.setPrivateKey(once.privateKey)
  else sender.generateKeys()
  const receiverKey = Buffer.from(p256dh, 'base64url')
  const senderKey = sender.getPublicKey()
  const derive = (key: Buffer, salted: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', key, salted, info, length))
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), receiverKey, senderKey])
  const shared = sender.computeSecret(receiverKey)
  const input = derive(shared, Buffer.from(auth, 'base64url'), keyInfo, 32)
  const key = derive(input, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(input, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const plain = Buffer.concat([Buffer.from(text), lastRecord])
  const record = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(recordSize)
  return Buffer.concat([salt, size, Buffer.from([senderKey.length]), senderKey, record])
}
