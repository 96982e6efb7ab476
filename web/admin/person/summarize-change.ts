// Formats the changes of an audit entry as one line: `role: member → editor, status: active`.

export function summarizeChange(before: unknown, after: unknown): string {
  const [was, is] = [toFields(before), toFields(after)]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  return names
    .filter((name) => formatValue(was[name]) !== formatValue(is[name]))
    .map((name) => {
      const isNew = !(name in was)
      return isNew
        ? `${label(name)}: ${formatValue(is[name])}`
        : `${label(name)}: ${formatValue(was[name])} → ${formatValue(is[name])}`
    })
    .join(', ')
}

function toFields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function label(name: string): string {
  return name.replaceAll('_', ' ')
}

function formatValue(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
