// Amounts as people type them.

const most = 100_000_000

/** Whole cents of `9.99`, `9,99`, `$10` or `-5`; null for anything else, and for zero. */
export function parseAmount(text: string, { isSigned }: { isSigned: boolean }): number | null {
  const match = /^([-−]?)\s*\$?\s*(\d{1,7})(?:[.,](\d{1,2}))?$/.exec(text.trim())
  if (!match) return null
  const [, sign, whole = '', part = ''] = match
  const cents = Number(whole) * 100 + Number(part.padEnd(2, '0'))
  if (cents === 0 || cents > most || (sign && !isSigned)) return null
  return sign ? -cents : cents
}

/** `9.99` */
export function amountText(cents: number): string {
  return (cents / 100).toFixed(2)
}
