// Describes when and from where a key or token was last used.
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })

export const formatDay = (time: string) => day.format(new Date(time))

export function describeUse(key: {
  created_at: string
  last_used_at: string | null
  last_client?: string | null
  last_network: string | null
}): string {
  const created = `Created ${formatDay(key.created_at)}`
  if (key.last_used_at === null) return `${created}. Never used.`
  const by = key.last_client ? ` by ${key.last_client}` : ''
  const from = key.last_network ? ` from ${key.last_network}` : ''
  return `${created}. Last used ${moment.format(new Date(key.last_used_at))}${by}${from}.`
}
