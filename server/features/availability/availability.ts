// The rule for when published content can be played, and by whom, in TypeScript and in SQL. No other file contains such
// a rule. It works on columns, so it applies to every table that has them. `billing/entitlements` decides what a plan
// allows.
import { sql, type RawBuilder } from 'kysely'
import { type Audience, type Availability, getRestriction } from '#contract/fields/availability.ts'

export interface AvailabilityFields {
  is_published: boolean
  release_at: string | null
  early_access_until: string | null
  audience: Audience
}

export function getAvailability(fields: AvailabilityFields, now: Date): Availability {
  if (!fields.is_published) return fields.release_at === null ? 'draft' : 'scheduled'
  return (
    getRestriction(getPremiumMarks(fields), now.getTime())?.reason ??
    (fields.audience === 'everyone' ? 'everyone' : 'members')
  )
}

/** Whether members can see the row with this alias. `is_published` is false for scheduled and deleted rows. */
export function isAvailable(alias: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${alias}.is_published`)}`
}

/**
 * Whether the row with this alias has a public page: it is published, and its audience is everyone. Rows in early
 * access are included, because a public page plays only the preview.
 */
export function isForEveryone(
  alias: string,
  { isPublished = 'is_published' }: { isPublished?: string } = {},
): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql<boolean>`(${column(isPublished)} and ${column('audience')} = 'everyone')`
}

/** Extracts the fields of a row that `getRestriction` requires. */
export function getPremiumMarks({
  audience,
  early_access_until,
}: Pick<AvailabilityFields, 'audience' | 'early_access_until'>) {
  return { premium_only: audience === 'premium', early_access_until }
}

/**
 * Computes the availability of the row with this alias in SQL, like the TypeScript function. `isPublished` is the name
 * of the column that publishes the row.
 */
export function selectAvailability(
  alias: string,
  {
    isPublished = 'is_published',
    now = sql`now()`,
  }: { isPublished?: string; now?: RawBuilder<unknown> } = {},
): RawBuilder<Availability> {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql<Availability>`case
    when not ${column(isPublished)} then
      case when ${column('release_at')} is null then 'draft' else 'scheduled' end
    when ${column('audience')} = 'premium' then 'premium_only'
    when ${column('early_access_until')} > ${now} then 'early_access'
    when ${column('audience')} = 'everyone' then 'everyone'
    else 'members' end`
}

/**
 * Whether a member can play the row with this alias. Members without Premium cannot play rows in early access and
 * Premium-only rows.
 */
export function isOpenTo(
  alias: string,
  isPremium: RawBuilder<boolean>,
  options?: Parameters<typeof selectAvailability>[1],
): RawBuilder<boolean> {
  return sql<boolean>`case ${selectAvailability(alias, options)}
    when 'everyone' then true when 'members' then true
    when 'early_access' then ${isPremium} when 'premium_only' then ${isPremium}
    else false end`
}

/** Selects the contract's `premiumMarks` of the row with this alias. */
export function selectPremiumMarks(alias: string) {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return [
    sql<boolean>`${column('audience')} = 'premium'`.as('premium_only'),
    // Must produce the same format as `formatTimestamp`, because PostgreSQL converts these rows to JSON.
    sql<
      string | null
    >`case when ${column('audience')} <> 'premium' and ${column('early_access_until')} > now()
      then to_char(${column('early_access_until')} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end`.as(
      'early_access_until',
    ),
  ] as const
}
