// The contents of a page's card, and a hash of them: a card is regenerated when the hash changes.
import { createHash } from 'node:crypto'
import { deriveAccent } from '#contract/fields/accent.ts'
import { aiDisclosureLabels } from '#contract/fields/ai-disclosure.ts'
import type { CardOrder } from '../../platform/pictures/draw-card.ts'
import { isCoveredByCardFonts, textOf } from '../../platform/pictures/card-letters.ts'
import type { PageFacts } from '../public-pages/page-facts.ts'
import type { Branding } from '../settings/branding.ts'
import { barHeights } from '../public-pages/page-parts.ts'

/** Version of the drawing. Increment it when the drawing changes. */
const drawing = 1
/** Cards with letters of other scripts were drawn without them before. */
const drawingOfOtherScripts = 2
const barCount = 80

export type CardContent = Omit<CardOrder, 'cover' | 'logo'> & {
  cover_id: string | null
  /** Absent without a logo, so that the hash of existing cards does not change. */
  logo_url?: string
  /** ETag of the preview in the video. Null without a video. */
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
    ...(accent !== null && { accent: gradientOf(accent) }),
    bars: kind === 'track' && track?.peaks ? barHeights(track.peaks, barCount) : [],
    preview_etag: kind === 'track' ? (tracks[0]?.preview_etag ?? null) : null,
  }
}

/** Colors of the dark theme, because cards are dark. */
function gradientOf(color: string): [string, string] {
  const colors = deriveAccent(color, 'dark')
  return [colors.accent, colors['accent-end']]
}

export function hashContent(content: CardContent): string {
  const isLatin = isCoveredByCardFonts(textOf(content))
  return createHash('sha256')
    .update(JSON.stringify([isLatin ? drawing : drawingOfOtherScripts, content]))
    .digest('hex')
    .slice(0, 16)
}
