// UPC-A (12 digits) and EAN-13 codes of releases. The last digit is a check digit (GS1 General Specifications, 7.9).

/** Removes the spaces and hyphens with which codes are often printed. */
export function cleanUpc(text: string): string {
  return text.replaceAll(/[\s-]/g, '')
}

export function isUpc(code: string): boolean {
  if (!/^(?:\d{12}|\d{13})$/.test(code)) return false
  const digits = [...code].map(Number)
  const sum = digits
    .toReversed()
    .reduce((total, digit, place) => total + digit * (place % 2 === 0 ? 1 : 3), 0)
  return sum % 10 === 0
}
