// Text comparison for searches in the web app. The server has SQL functions with the same rules (migration
// search_folded). Both are tested with search-cases.ts.

const letters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŋ: 'n',
  ŧ: 't',
  ƀ: 'b',
  ǥ: 'g',
  ɨ: 'i',
  ɉ: 'j',
  ʉ: 'u',
  ƶ: 'z',
  ɍ: 'r',
  ɇ: 'e',
  ȼ: 'c',
  ƒ: 'f',
  ς: 'σ',
}
const mappedLetters = new RegExp(`[${Object.keys(letters).join('')}]`, 'g')

/** Removes case and accents, so that 'Ångström' and 'ANGSTROM' are equal. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(mappedLetters, (letter) => letters[letter] ?? letter)
}

/**
 * Drops apostrophes and replaces other punctuation with spaces, so that 'ac dc' matches 'AC/DC' and 'dont' matches
 * 'Don’t'.
 */
export function splitFoldedWords(folded: string): string {
  return folded
    .replace(/[.'’‘`´ʼ]/g, '')
    .replace(/[-/\\–—_:;,!?&+*#%@|"“”„«»()[\]{}<>~= ]+/g, ' ')
    .replace(/^ | $/g, '')
}

/** Whether a text contains the search text. Ignores case and accents. */
export function containsText(text: string, q: string): boolean {
  const [folded, wanted] = [foldText(text), foldText(q.trim())]
  return folded.includes(wanted) || splitFoldedWords(folded).includes(wanted)
}

/**
 * Relevance of a title for a search: 4 equal, 3 starts with the search text, 2 has a word that starts with it, 0
 * otherwise.
 */
export function rankTitle(title: string, q: string): 0 | 2 | 3 | 4 {
  const wanted = foldText(q.trim())
  const folded = foldText(title)
  const forms = [folded, splitFoldedWords(folded)]
  if (forms.includes(wanted)) return 4
  if (forms.some((form) => form.startsWith(wanted))) return 3
  return forms.some((form) => form.includes(` ${wanted}`)) ? 2 : 0
}
