import type { CardOrder } from './draw-card.ts'

/** The letters of the two default fonts of link preview pictures: Latin and its punctuation. */
const covered = /^[\u0000-\u024f\u2000-\u206f\u20ac\u2122\u2191\u2193\u2212\u2215]*$/

export function isCoveredByCardFonts(text: string): boolean {
  return covered.test(text)
}

/** Collects all texts on a link preview picture. */
export function collectCardText({
  title,
  artist,
  label,
  mark,
  brandName,
}: Pick<CardOrder, 'title' | 'artist' | 'label' | 'mark' | 'brandName'>): string {
  return [title, artist, label, mark, brandName].join(' ')
}
