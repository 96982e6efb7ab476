// Asks before an announcement is sent: how many get it, and how long it takes.
import type { Announcement } from '#contract/announcements.ts'
import { errorText } from '../../base/api/show-error.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { audienceLabels, useRecipientCount, useSendAnnouncement } from './announcement-queries.ts'

export function SendDialog({
  announcement,
  onClose,
}: {
  announcement: Announcement
  onClose: () => void
}) {
  const { subject, audience } = announcement
  const recipients = useRecipientCount(audience)
  const sending = useSendAnnouncement(onClose)
  const { data, error } = recipients
  const isNobody = data?.count === 0
  const words = isNobody
    ? 'Nobody would get it: no member of this kind has agreed to announcements yet.'
    : data
      ? `${formatCount(data.count, 'member gets', 'members get')} it: ${audienceLabels[audience].toLowerCase()} who agreed to announcements. ` +
        `It takes about ${formatCount(data.minutes, 'minute', 'minutes')}, and cannot be taken back.`
      : 'Counting who gets it…'
  return (
    <ConfirmDialog
      open
      title={`Send “${subject}”?`}
      message={error && !data ? errorText(error) : words}
      confirmLabel={data ? `Send to ${data.count.toLocaleString('en')}` : 'Send'}
      tone="neutral"
      busy={sending.isPending}
      onConfirm={() => data && sending.mutate(announcement)}
      onCancel={onClose}
    />
  )
}
