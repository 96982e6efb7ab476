// Selects the columns of a settings row that the audit log records.

/** Columns that describe the row instead of holding settings. */
const ownColumns = ['id', 'updated_at', 'version', 'changed_by', 'changed_at']

/** Returns the row without its version, and without columns that contain secrets. */
export function pickAuditedColumns<Row extends object>(
  row: Row,
  secrets: readonly (keyof Row & string)[] = [],
): Record<string, unknown> {
  const leftOut = new Set<string>([...ownColumns, ...secrets])
  return Object.fromEntries(Object.entries(row).filter(([name]) => !leftOut.has(name)))
}
