// Whether something waits for its date, is in early access, or is for Premium only. Renders nothing otherwise.
import { Badge } from '../../base/ui/display/badge.tsx'
import { restrictionNow } from '../../base/format/format-restriction.ts'
import { localZone, type Available } from './availability-form.ts'
import { formatZoned } from './format-zoned.ts'

export interface AvailabilityBadgeProps {
  item: Available & { premium_only: boolean; early_access_until: string | null }
}

export function AvailabilityBadge({ item }: AvailabilityBadgeProps) {
  const { release_at, release_zone } = item
  const restriction = restrictionNow(item)
  return (
    <>
      {release_at && (
        <Badge tone="info">Scheduled · {describeDate(release_at, release_zone ?? 'UTC')}</Badge>
      )}
      {restriction?.reason === 'premium_only' && <Badge tone="gold">Premium only</Badge>}
      {restriction?.reason === 'early_access' && (
        <Badge tone="gold">
          Early access until {formatZoned(new Date(restriction.until), localZone())}
        </Badge>
      )}
    </>
  )
}

/** In the zone in which it was typed, which is named if it is not the one of this device. */
function describeDate(release_at: string, zone: string): string {
  const date = formatZoned(new Date(release_at), zone)
  return zone === localZone() ? date : `${date} (${zone.replaceAll('_', ' ')})`
}
