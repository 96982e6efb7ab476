// Parses a CSV of people to invite. The file is untrusted input.
import type { InvitationRow } from '#contract/admin/admin-invitations.ts'
import { maxInvitationRows } from '#contract/admin/admin-invitations.ts'
import { displayNameMaxLength } from '#contract/auth.ts'
import { cleanName } from '#contract/fields/clean-name.ts'
import { unescapeCell, parseCsvRows, type CsvRow } from '#contract/fields/parse-csv.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import { parseEmail } from '../auth/parse-email.ts'

const columns = {
  email: ['email', 'e-mail', 'mail', 'email address', 'e-mail address', 'address'],
  name: ['name', 'display name', 'display_name', 'full name'],
  firstName: ['first name', 'first_name', 'firstname', 'given name'],
  lastName: ['last name', 'last_name', 'lastname', 'family name', 'surname'],
} as const
type Places = Record<keyof typeof columns, number>

/** Maximum number of characters of a cell in the preview. */
const shownLength = 200

/**
 * Parses the list. If there is no header, addresses are read from the column of the first cell with an @, and names
 * from the first other column. Throws `invitation_list_empty` or `invitation_list_too_long`.
 */
export function readInvitationList(csv: string): InvitationRow[] {
  const text = csv.replace(/^\uFEFF/, '').replaceAll('\0', '')
  const rows = parseCsvRows(text, maxInvitationRows + 1)
  const [first] = rows
  if (!first) throw new AppError('invitation_list_empty')
  const hasHeading = !first.cells.some((cell) => cell.includes('@'))
  const places = hasHeading ? findColumns(first.cells) : guessColumns(first.cells)
  const people = hasHeading ? rows.slice(1) : rows
  if (places.email === -1 || people.length === 0) throw new AppError('invitation_list_empty')
  if (people.length > maxInvitationRows) throw new AppError('invitation_list_too_long')
  const seen = new Set<string>()
  return people.map((row) => readRow(row, places, seen))
}

function findColumns(heading: readonly string[]): Places {
  const names = heading.map((cell) => cell.trim().toLowerCase())
  const find = (wanted: readonly string[]) => names.findIndex((name) => wanted.includes(name))
  return {
    email: find(columns.email),
    name: find(columns.name),
    firstName: find(columns.firstName),
    lastName: find(columns.lastName),
  }
}

function guessColumns(cells: readonly string[]): Places {
  const email = cells.findIndex((cell) => cell.includes('@'))
  return { email, name: cells.findIndex((_, at) => at !== email), firstName: -1, lastName: -1 }
}

function readRow({ line, cells }: CsvRow, places: Places, seen: Set<string>): InvitationRow {
  const typed = unescapeCell(cells, places.email) ?? ''
  const names = [unescapeCell(cells, places.firstName), unescapeCell(cells, places.lastName)]
  const display_name = cleanName(
    unescapeCell(cells, places.name) || names.filter(Boolean).join(' '),
  )
  const email = readEmail(typed)
  const row = { line, email: email ?? typed.slice(0, shownLength) }
  const shown = { ...row, display_name: display_name.slice(0, shownLength) }
  if (email === null) return { ...shown, problem: typed ? 'invalid_address' : 'no_address' }
  if (display_name.length > displayNameMaxLength) return { ...shown, problem: 'name_too_long' }
  const isRepeated = seen.has(email)
  seen.add(email)
  return { ...shown, problem: isRepeated ? 'repeated' : null }
}

/** Returns the address, or null if it is invalid. Also accepts `Ada <ada@music.example>`. */
function readEmail(text: string): string | null {
  try {
    return parseEmail(/<([^<>]+)>$/.exec(text)?.[1] ?? text)
  } catch {
    return null
  }
}
