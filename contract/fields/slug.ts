// URL slugs in ASCII, for names in any script.

/** Letters that Unicode does not decompose into an ASCII letter and a combining mark. */
const letters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŋ: 'ng',
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  ґ: 'g',
  д: 'd',
  е: 'e',
  є: 'ye',
  ж: 'zh',
  з: 'z',
  и: 'i',
  і: 'i',
  й: 'y',
  к: 'k',
  л: 'l',
  м: 'm',
  н: 'n',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  у: 'u',
  ф: 'f',
  х: 'kh',
  ц: 'ts',
  ч: 'ch',
  ш: 'sh',
  щ: 'shch',
  ъ: '',
  ы: 'y',
  ь: '',
  э: 'e',
  ю: 'yu',
  я: 'ya',
  α: 'a',
  β: 'v',
  γ: 'g',
  δ: 'd',
  ε: 'e',
  ζ: 'z',
  η: 'i',
  θ: 'th',
  ι: 'i',
  κ: 'k',
  λ: 'l',
  μ: 'm',
  ν: 'n',
  ξ: 'x',
  ο: 'o',
  π: 'p',
  ρ: 'r',
  σ: 's',
  ς: 's',
  τ: 't',
  υ: 'y',
  φ: 'f',
  χ: 'ch',
  ψ: 'ps',
  ω: 'o',
}

export const slugMaxLength = 80

/**
 * `Late Night Jazz` → `late-night-jazz`, `Süße Träume` → `susse-traume`. Converts to lower case and replaces spaces
 * with hyphens. A letter without an ASCII equivalent becomes its code point: `夜` → `u591c`. Empty if the name has no
 * letter or digit.
 */
export function toSlug(name: string): string {
  return [...name.toLowerCase().normalize('NFC')]
    .map((letter) => letters[letter] ?? [...letter.normalize('NFKD')].map(toAscii).join(''))
    .join('')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, slugMaxLength)
    .replace(/^-+|-+$/g, '')
}

function toAscii(letter: string): string {
  if (/^[\x00-\x7f]$/.test(letter)) return letter
  const known = letters[letter]
  if (known !== undefined) return known
  if (/\p{M}/u.test(letter)) return ''
  return /[\p{L}\p{N}]/u.test(letter) ? `-u${letter.codePointAt(0)?.toString(16)}-` : '-'
}
