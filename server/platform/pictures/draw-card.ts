// Draws the pictures of link previews with cover, title, artist, waveform and AI disclosure. Runs only in
// picture-child.ts.
import { fileURLToPath } from 'node:url'
import sharp, { type OverlayOptions, type Sharp } from 'sharp'
import { unpackFonts } from './card-fonts.ts'
import { isCoveredByCardFonts, collectCardText } from './card-letters.ts'

export interface CardOrder {
  /** The bytes of a stored cover. Null if there is none. */
  cover: Uint8Array | null
  /** Tint of the cover as `#rrggbb`. */
  tint: string | null
  title: string
  artist: string
  /** The kind of the item, as shown in the picture, such as `Track`. */
  label: string
  /** The AI disclosure, such as `AI-generated`. Null if it is not shown. */
  mark: string | null
  brandName: string
  /** The logo as PNG, shown instead of the brand name. Null if there is none. */
  logo: Uint8Array | null
  /** The colors of the waveform's gradient, if not the default ones. */
  accent?: readonly [from: string, to: string]
  /** Heights of the waveform's bars, 0 to 1. Empty if there is no waveform. */
  bars: number[]
}

export interface Card {
  /** JPEG, 1200 × 630. */
  wide: Uint8Array
  /** JPEG, 720 × 720. */
  square: Uint8Array
}

/** Maximum size of a picture in bytes, because messengers ignore larger ones. */
export const cardMaxBytes = 300_000
export const squareSide = 720
const wideSize = { width: 1200, height: 630 }

const fonts = {
  display: { name: 'Velour Card Display', file: fontFile('fraunces-card.ttf') },
  text: { name: 'Velour Card Text', file: fontFile('hanken-card.ttf') },
} as const

function fontFile(name: string): string {
  return fileURLToPath(new URL(`./fonts/${name}`, import.meta.url))
}

export async function drawCard(order: CardOrder): Promise<Card> {
  const fontFiles = await unpackFonts(collectCardText(order))
  try {
    for (const file of fontFiles.paths) await addFont(file)
    const shown = await withoutUndrawable(order)
    const [wide, square] = [await drawWide(shown), await drawSquare(shown)]
    return { wide, square }
  } finally {
    await fontFiles.remove()
  }
}

/**
 * Makes a font available: libvips adds the font of a drawn text to those of the process, and Pango then uses it for
 * letters that other fonts lack.
 */
async function addFont(fontfile: string): Promise<void> {
  await sharp({ text: { text: '.', fontfile } }).toBuffer()
}

async function drawWide(order: CardOrder): Promise<Buffer> {
  const cover = await coverLayer(order, 470, 28)
  const left = 620
  const width = 510
  const title = await fitText(order.title, {
    font: 'display',
    sizes: [78, 66, 56, 48, 42],
    width,
    height: 218,
  })
  const artist = await fitText(order.artist, {
    font: 'text',
    sizes: [36, 30, 26],
    width,
    height: 84,
    color: soft,
  })
  const label = await fitText(order.label, {
    font: 'text',
    sizes: [25],
    width,
    height: 34,
    color: soft,
  })
  const top = 80
  const layers: OverlayOptions[] = [{ input: cover, left: 80, top: 80 }]
  let y = top
  const place = (text: DrawnText | null, gap: number) => {
    if (text) layers.push({ input: text.data, left, top: y })
    if (text) y += text.height + gap
  }
  place(label, 22)
  place(title, 22)
  place(artist, 0)
  if (order.bars.length > 0) {
    layers.push({ input: Buffer.from(waveSvg(order, width, 84)), left, top: 412 })
  }
  layers.push(...(await footLayers(order, { left, top: 516, width })))
  return encode(sharp(Buffer.from(groundSvg(order.tint, wideSize))).composite(layers))
}

async function drawSquare(order: CardOrder): Promise<Buffer> {
  const side = squareSide
  const padding = 44
  const width = side - 2 * padding
  const title = await fitText(order.title, {
    font: 'display',
    sizes: [64, 54, 46, 38],
    width,
    height: 170,
  })
  const artist = await fitText(order.artist, {
    font: 'text',
    sizes: [32, 27],
    width,
    height: 72,
    color: soft,
  })
  const heightOf = (text: DrawnText | null) => (text ? text.height + 16 : 0)
  const artistTop = side - 100 - heightOf(artist)
  const titleTop = artistTop - heightOf(title)
  return encode(
    sharp(Buffer.from(groundSvg(order.tint, { width: side, height: side }))).composite([
      { input: await coverLayer(order, side, 0), left: 0, top: 0 },
      { input: Buffer.from(shadeSvg(side)), left: 0, top: 0 },
      ...(title ? [{ input: title.data, left: padding, top: titleTop }] : []),
      ...(artist ? [{ input: artist.data, left: padding, top: artistTop }] : []),
      ...(await footLayers(order, { left: padding, top: side - 84, width })),
    ]),
  )
}

const light = '#f6efe9'
const soft = '#d9cbd2'

/** The brand's logo or name, and the AI disclosure, if there is one. */
async function footLayers(
  { brandName, logo, mark }: CardOrder,
  { left, top, width }: { left: number; top: number; width: number },
): Promise<OverlayOptions[]> {
  const place = { width: width - 220, height: 44 }
  const brand = logo
    ? await fitLogo(logo, place)
    : await fitText(brandName, { font: 'display', sizes: [32, 26], ...place })
  const words =
    mark &&
    (await fitText(mark, { font: 'text', sizes: [22], width: 200, height: 30, color: light }))
  return [
    ...(brand ? [{ input: brand.data, left, top }] : []),
    ...(words
      ? [
          {
            input: Buffer.from(pillSvg(words.width + 32)),
            left: left + width - words.width - 32,
            top: top - 4,
          },
          { input: words.data, left: left + width - words.width - 16, top: top + 6 },
        ]
      : []),
  ]
}

async function fitLogo(
  logo: Uint8Array,
  { width, height }: { width: number; height: number },
): Promise<{ data: Buffer }> {
  return { data: await sharp(logo).resize(width, height, { fit: 'inside' }).png().toBuffer() }
}

async function coverLayer(
  { cover, title }: CardOrder,
  side: number,
  radius: number,
): Promise<Buffer> {
  const mask = Buffer.from(
    `<svg width="${side}" height="${side}"><rect width="${side}" height="${side}" rx="${radius}"/></svg>`,
  )
  const picture = cover
    ? sharp(cover).resize(side, side, { fit: 'cover' })
    : sharp(Buffer.from(groundSvg(null, { width: side, height: side }))).composite(
        // In the square picture, the letter is higher, because the lower half contains text.
        await getInitial(title, side, radius === 0 ? 0.25 : 0.5),
      )
  const square = await picture.ensureAlpha().png().toBuffer()
  return sharp(square)
    .composite([{ input: mask, blend: 'dest-in' }])
    .png()
    .toBuffer()
}

/** Draws the first letter of the title. `share` is the fraction of the free height above the letter. */
async function getInitial(title: string, side: number, share: number): Promise<OverlayOptions[]> {
  const letter = await fitText([...title][0]?.toUpperCase() ?? '', {
    font: 'display',
    sizes: [220],
    width: side,
    height: side,
  })
  if (!letter) return []
  const { data: input, width, height } = letter
  const [left, top] = [Math.floor((side - width) / 2), Math.floor((side - height) * share)]
  return [{ input, left, top }]
}

/** Encodes a JPEG of at most `cardMaxBytes`. */
async function encode(picture: Sharp): Promise<Buffer> {
  const flat = await picture
    .flatten({ background: '#150a13' })
    .png({ compressionLevel: 1 })
    .toBuffer()
  for (const quality of [86, 78, 68, 56]) {
    const bytes = await sharp(flat).jpeg({ quality, mozjpeg: true }).toBuffer()
    if (bytes.length <= cardMaxBytes) return bytes
  }
  return sharp(flat).jpeg({ quality: 40, mozjpeg: true }).toBuffer()
}

interface DrawnText {
  data: Buffer
  width: number
  height: number
}

interface TextPlace {
  font: keyof typeof fonts
  /** Font sizes in pixels, the preferred one first. */
  sizes: readonly number[]
  width: number
  height: number
  color?: string
}

/** Draws a text in the largest size that fits, and truncates it if no size fits. Null for an empty text. */
async function fitText(text: string, place: TextPlace): Promise<DrawnText | null> {
  if (text.trim() === '') return null
  for (const size of place.sizes) {
    const drawn = await drawText(text, place, size)
    if (drawn.height <= place.height && drawn.width <= place.width) return drawn
  }
  const size = place.sizes.at(-1) ?? 20
  let letters = [...text].slice(0, 200)
  while (letters.length > 1) {
    letters = letters.slice(0, Math.floor(letters.length * 0.9))
    const drawn = await drawText(`${letters.join('').trimEnd()}…`, place, size)
    if (drawn.height <= place.height && drawn.width <= place.width) return drawn
  }
  return null
}

async function drawText(
  text: string,
  { font, width, color = light }: TextPlace,
  size: number,
): Promise<DrawnText> {
  const { name, file } = fonts[font]
  const { data, info } = await sharp({
    text: {
      text: `<span foreground="${color}">${escapeMarkup(text)}</span>`,
      font: `${name} ${size}px`,
      fontfile: file,
      width,
      wrap: 'word-char',
      rgba: true,
      dpi: 72,
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

function escapeMarkup(text: string): string {
  return text
    .replaceAll(/[\u0000-\u001f]/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

/** Removes texts that no installed font can draw, because they would appear as boxes. The cover alone is better. */
async function withoutUndrawable(order: CardOrder): Promise<CardOrder> {
  const isFine = await Promise.all([order.title, order.artist].map(isDrawable))
  return isFine.every(Boolean) ? order : { ...order, title: '', artist: '' }
}

async function isDrawable(text: string): Promise<boolean> {
  if (isCoveredByCardFonts(text)) return true
  const others = [...new Set(text)].filter(
    (letter) => !isCoveredByCardFonts(letter) && !/[\p{M}\p{Cf}]/u.test(letter),
  )
  for (const letter of others.slice(0, 60)) {
    // Private-use characters are in no font, so they are drawn as boxes of a fixed size. A letter that looks the same
    // can't be drawn.
    const [drawn, box] = await Promise.all([
      measureLetter(letter),
      measureLetter(letter.length > 1 ? '\u{f00fe}' : '\ue0fe'),
    ])
    if (drawn === box) return false
  }
  return true
}

async function measureLetter(letter: string): Promise<string> {
  const { width, height } = await drawText(
    letter,
    { font: 'text', sizes: [], width: 400, height: 0 },
    96,
  )
  return `${width} ${height}`
}

function groundSvg(
  tint: string | null,
  { width, height }: { width: number; height: number },
): string {
  return `<svg width="${width}" height="${height}" xmlns="http://www.w3.org/2000/svg">
<defs><radialGradient id="g" cx="0.22" cy="0.2" r="1"><stop offset="0" stop-color="${tint ?? '#7a3b52'}" stop-opacity="0.62"/><stop offset="0.75" stop-color="#150a13" stop-opacity="0"/></radialGradient></defs>
<rect width="100%" height="100%" fill="#1b0f19"/><rect width="100%" height="100%" fill="url(#g)"/></svg>`
}

function shadeSvg(side: number): string {
  return `<svg width="${side}" height="${side}" xmlns="http://www.w3.org/2000/svg"><defs><linearGradient id="s" x1="0" y1="0" x2="0" y2="1"><stop offset="0.35" stop-color="#150a13" stop-opacity="0"/><stop offset="0.8" stop-color="#150a13" stop-opacity="0.86"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#s)"/></svg>`
}

function pillSvg(width: number): string {
  return `<svg width="${width}" height="40" xmlns="http://www.w3.org/2000/svg"><rect x="1" y="1" width="${width - 2}" height="38" rx="19" fill="#150a13" fill-opacity="0.55" stroke="#f6efe9" stroke-opacity="0.5"/></svg>`
}

function waveSvg(
  { bars, accent = ['#ef8fa8', '#f0b46a'] }: CardOrder,
  width: number,
  height: number,
): string {
  const pitch = width / bars.length
  const lines = bars
    .map((loudness, at) => {
      const reach = Math.max(3, loudness * height)
      const x = (at * pitch + pitch / 2).toFixed(1)
      return `M${x} ${((height - reach) / 2).toFixed(1)}v${reach.toFixed(1)}`
    })
    .join('')
  return `<svg width="${width}" height="${height}" xmlns="http://www.w3.org/2000/svg"><defs><linearGradient id="w"><stop offset="0" stop-color="${accent[0]}"/><stop offset="1" stop-color="${accent[1]}"/></linearGradient></defs><path d="${lines}" stroke="url(#w)" stroke-width="${(pitch * 0.55).toFixed(1)}" stroke-linecap="round" fill="none"/></svg>`
}
