// Parses CSV as written by spreadsheets and other programs.

export interface CsvRow {
  /** The line of the file on which the row begins. Counts from 1, and includes empty lines. */
  line: number
  cells: string[]
}

/** The cells of all non-empty rows. */
export function parseCsv(text: string, maxRows = 50_000): string[][] {
  return parseCsvRows(text, maxRows).map(({ cells }) => cells)
}

/**
 * Parses RFC 4180 with commas, semicolons or tabs, detected from the first line. Skips empty rows. Reads one row more
 * than `maxRows`, because the first row may be the header.
 */
export function parseCsvRows(text: string, maxRows: number): CsvRow[] {
  const [firstLine = ''] = text.split(/\r?\n/, 1)
  const separator = [',', ';', '\t'].toSorted(
    (a, b) => firstLine.split(b).length - firstLine.split(a).length,
  )[0]!
  const rows: CsvRow[] = []
  let cells: string[] = []
  let cell = ''
  let isQuoted = false
  let line = 1
  let rowLine = 1
  const endRow = () => {
    cells.push(cell)
    if (cells.some((one) => one !== '')) rows.push({ line: rowLine, cells })
    cells = []
    cell = ''
  }
  for (let at = 0; at < text.length && rows.length <= maxRows; at++) {
    const letter = text[at]!
    if (letter === '\n') line++
    if (isQuoted) {
      if (letter !== '"') cell += letter
      else if (text[at + 1] === '"') cell += text[++at]
      else isQuoted = false
    } else if (letter === '"' && cell === '') isQuoted = true
    else if (letter === separator) {
      cells.push(cell)
      cell = ''
    } else if (letter === '\n') {
      endRow()
      rowLine = line
    } else if (letter !== '\r') cell += letter
  }
  endRow()
  return rows
}

/** Removes the leading apostrophe that prevents spreadsheets from evaluating a cell as a formula. */
export const unescapeCell = (row: readonly string[], at = -1): string | null =>
  row[at]?.replace(/^'(?=[=+@-])/, '').trim() ?? null
