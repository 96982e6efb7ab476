// The currencies that Stripe supports for charges, and their smallest units. Amounts are whole numbers of the smallest
// unit.

/** Currencies without a smaller unit. */
const wholeCurrencies = 'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' ')
/** Currencies with three decimals. Stripe requires the last digit to be 0. */
const finerCurrencies = 'bhd jod kwd omr tnd'.split(' ')
/** Currencies that have two decimals in Stripe, both of which must be 0. */
const roundCurrencies = ['isk']

/** ISO 4217 codes in lower case. UGX is missing because Stripe's documentation of its unit is contradictory. */
export const currencies = [
  ...'aed afn all amd ang aoa ars aud awg azn bam bbd bdt bhd bif bmd bnd bob brl bsd bwp byn bzd'.split(
    ' ',
  ),
  ...'cad cdf chf clp cny cop crc cve czk djf dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd gnf'.split(
    ' ',
  ),
  ...'gtq gyd hkd hnl htg huf idr ils inr isk jmd jod jpy kes kgs khr kmf krw kwd kyd kzt lak lbp'.split(
    ' ',
  ),
  ...'lkr lrd lsl mad mdl mga mkd mmk mnt mop mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd omr'.split(
    ' ',
  ),
  ...'pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr sek sgd shp sle sos srd std szl'.split(
    ' ',
  ),
  ...'thb tjs tnd top try ttd twd tzs uah usd uyu uzs vnd vuv wst xaf xcd xof xpf yer zar zmw'.split(
    ' ',
  ),
]

/** The number of decimals of a currency: 0, 2 or 3. */
export function getDecimals(currency: string): number {
  if (wholeCurrencies.includes(currency)) return 0
  return finerCurrencies.includes(currency) ? 3 : 2
}

/** Amounts in this currency must be multiples of the returned number. */
export function getAmountStep(currency: string): number {
  if (roundCurrencies.includes(currency)) return 100
  return finerCurrencies.includes(currency) ? 10 : 1
}

/** Formats an amount for display: `$9.99`, `¥980`, `KWD 3.250`. */
export function formatMoney(amount: number, currency: string): string {
  const decimals = roundCurrencies.includes(currency) ? 0 : getDecimals(currency)
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(amount / 10 ** getDecimals(currency))
}

/** Formats an amount for an input field: `9.99`, `980`, `3.250`. */
export function formatAmount(amount: number, currency: string): string {
  return (amount / 10 ** getDecimals(currency)).toFixed(getDecimals(currency))
}

const most = 100_000_000

/**
 * Parses `9.99`, `9,99`, `$10` or `-5`. Returns null for other texts, for zero, and for amounts that the currency
 * cannot represent.
 */
export function parseAmount(
  text: string,
  currency: string,
  { isSigned = false }: { isSigned?: boolean } = {},
): number | null {
  const match = /^([-−]?)\s*\p{Sc}?\s*(\d{1,9})(?:[.,](\d{1,3}))?$/u.exec(text.trim())
  if (!match) return null
  const [, sign, whole = '', part = ''] = match
  const decimals = getDecimals(currency)
  if (part.length > decimals) return null
  const amount = Number(whole) * 10 ** decimals + Number(part.padEnd(decimals, '0') || 0)
  if (
    amount === 0 ||
    amount > most ||
    amount % getAmountStep(currency) !== 0 ||
    (sign && !isSigned)
  ) {
    return null
  }
  return sign ? -amount : amount
}
