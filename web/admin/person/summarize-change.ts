// Lists the fields changed by an audit entry on one line: `role: member → editor, status: active`.

export function summarizeChange(before: unknown, after: unknown): string {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  return names
    .filter((name) => wordsOf(was[name]) !== wordsOf(is[name]))
    .map((name) => {
      const isNew = !(name in was)
      return isNew
        ? `${label(name)}: ${wordsOf(is[name])}`
        : `${label(name)}: ${wordsOf(was[name])} → ${wordsOf(is[name])}`
    })
    .join(', ')
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function label(name: string): string {
  return name.replaceAll('_', ' ')
}

function wordsOf(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
