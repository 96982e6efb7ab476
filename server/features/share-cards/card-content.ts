// Reads the contents of a share card and computes their hash. A card is generated again when the hash changes.
import { createHash } from 'node:crypto'
import { deriveAccent } from '#contract/fields/accent.ts'
import { aiDisclosureLabels } from '#contract/fields/ai-disclosure.ts'
import type { CardOrder } from '../../platform/pictures/draw-card.ts'
import { isCoveredByCardFonts, collectCardText } from '../../platform/pictures/card-letters.ts'
import type { PageFacts } from '../public-pages/page-facts.ts'
import type { Branding } from '../settings/branding.ts'
import { barHeights } from '../public-pages/page-parts.ts'

/** Version of the share cards' design. Increment it when the design changes. */
const drawing = 1
/**
 * Version for texts in non-Latin scripts: earlier cards left out their letters, so these cards must be generated again.
 */
const otherScriptsVersion = 2
const barCount = 80

export type CardContent = Omit<CardOrder, 'cover' | 'logo'> & {
  cover_id: string | null
  /** The service's logo. Absent if there is none, so that the hash of existing cards does not change. */
  logo_url?: string
  /** ETag of the preview that the card's video contains. Null if there is no video. */
  preview_etag: string | null
}

export function cardContent(
  facts: PageFacts,
  { brand_name, accent, logo }: Pick<Branding, 'brand_name' | 'accent' | 'logo'>,
): CardContent {
  const { kind, track, tracks, ai_disclosure } = facts
  return {
    cover_id: facts.cover_id,
    tint: facts.cover_tint,
    title: facts.title,
    artist: facts.artist,
    label: facts.label,
    mark: ai_disclosure === 'human' ? null : aiDisclosureLabels[ai_disclosure],
    brandName: brand_name,
    ...(logo && { logo_url: logo.url }),
    ...(accent !== null && { accent: getGradient(accent) }),
    bars: kind === 'track' && track?.peaks ? barHeights(track.peaks, barCount) : [],
    preview_etag: kind === 'track' ? (tracks[0]?.preview_etag ?? null) : null,
  }
}

/** The gradient of a card. Uses the dark theme's colors, because cards are dark. */
function getGradient(color: string): [string, string] {
  const colors = deriveAccent(color, 'dark')
  return [colors.accent, colors['accent-end']]
}

export function hashContent(content: CardContent): string {
  const isLatin = isCoveredByCardFonts(collectCardText(content))
  return createHash('sha256')
    .update(JSON.stringify([isLatin ? drawing : otherScriptsVersion, content]))
    .digest('hex')
    .slice(0, 16)
}
