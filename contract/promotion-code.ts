// A promotion code as typed by people: letters and digits, in upper case.
import * as z from 'zod/mini'

export const promotionCode = z
  .string()
  .check(
    z.trim(),
    z.toUpperCase(),
    z.regex(/^[A-Z0-9]{3,40}$/, 'A code has 3 to 40 letters and digits.'),
    z.describe('The promotion code.'),
  )
