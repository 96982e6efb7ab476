// A badge for an item that is scheduled, in early access or Premium only. Renders nothing otherwise.
import type { ReactNode } from 'react'
import { Badge } from '../../base/ui/display/badge.tsx'
import { restrictionNow } from '../../base/format/format-restriction.ts'
import styles from './availability-badge.module.css'
import { getLocalZone, type Available } from './availability-form.ts'
import { formatZoned, formatZonedShort } from './format-zoned.ts'

export interface AvailabilityBadgeProps {
  item: Available & { premium_only: boolean; early_access_until: string | null }
}

export function AvailabilityBadge({ item }: AvailabilityBadgeProps) {
  const { release_at, release_zone } = item
  const restriction = restrictionNow(item)
  return (
    <>
      {release_at && (
        <Mark tone="info" label={`Scheduled · ${describeDate(release_at, release_zone)}`} />
      )}
      {restriction?.reason === 'premium_only' && <Mark tone="gold" label="Premium only" />}
      {restriction?.reason === 'early_access' && (
        <Mark tone="gold" label={`Early access until ${describeEnd(restriction.until)}`} />
      )}
    </>
  )
}

/** Truncated in narrow tables, so the tooltip has the full text. */
function Mark({ tone, label }: { tone: 'info' | 'gold'; label: string }): ReactNode {
  return (
    <span className={styles.mark} title={label}>
      <Badge tone={tone}>{label}</Badge>
    </span>
  )
}

/** Formats a date in the time zone in which it was entered. Names that zone if it differs from the device's. */
function describeDate(release_at: string, zone: string | null): string {
  const at = new Date(release_at)
  return !zone || zone === getLocalZone()
    ? formatZoned(at, getLocalZone())
    : formatZonedShort(at, zone)
}

function describeEnd(until: string): string {
  return formatZoned(new Date(until), getLocalZone())
}
