// Detects frames of MPEG audio (MP1, MP2, MP3: ISO 11172-3 and 13818-3; AAC in ADTS: ISO 13818-7). A sync word alone
// occurs in any binary file, so two consecutive frames are required.

const kilobits = {
  '1-1': [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  '1-2': [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  '1-3': [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  '2-1': [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  '2-2': [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const
const sampleRates = [44_100, 48_000, 32_000] as const

export function isMpegAudio(bytes: Uint8Array): boolean {
  for (let at = 0; at + 7 < bytes.length; at++) {
    if (bytes[at] !== 0xff) continue
    const length = frameLength(bytes, at)
    if (length === 0) continue
    const next = at + length
    // Accept a file that ends after its first frame: it has no next frame to check.
    if (next >= bytes.length ? at === 0 : frameLength(bytes, next) > 0) return true
  }
  return false
}

/** Returns the length in bytes of the frame at this offset; 0 if no frame begins there. */
function frameLength(bytes: Uint8Array, at: number): number {
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0] = bytes.subarray(
    at,
    at + 6,
  )
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return 0
  const layer = 4 - ((second >> 1) & 3)
  if (layer === 4) {
    const isAdts = (second & 0xf6) === 0xf0 && ((third >> 2) & 15) < 13
    const length = ((fourth & 3) << 11) | (fifth << 3) | (sixth >> 5)
    return isAdts && length > 7 ? length : 0
  }
  const version = (second >> 3) & 3
  const rateIndex = (third >> 2) & 3
  const bitrateIndex = third >> 4
  const sampleRate = sampleRates[rateIndex]
  if (version === 1 || !sampleRate || bitrateIndex === 0 || bitrateIndex === 15) return 0
  const isFirstVersion = version === 3
  const table = isFirstVersion ? (`1-${layer as 1 | 2 | 3}` as const) : layer === 1 ? '2-1' : '2-2'
  const bitrate = (kilobits[table][bitrateIndex - 1] ?? 0) * 1000
  const rate = sampleRate / (isFirstVersion ? 1 : version === 2 ? 2 : 4)
  const padding = (third >> 1) & 1
  if (layer === 1) return (Math.floor((12 * bitrate) / rate) + padding) * 4
  const samples = layer === 3 && !isFirstVersion ? 72 : 144
  return Math.floor((samples * bitrate) / rate) + padding
}
