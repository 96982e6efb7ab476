// Asks for confirmation before an announcement is sent. Shows the number of recipients and how long sending takes.
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
  const question = isNobody
    ? 'No recipients: none of these members has opted in to announcements yet.'
    : data
      ? `${formatCount(data.count, 'member receives', 'members receive')} it: ${audienceLabels[audience].toLowerCase()} who opted in to announcements. ` +
        `Sending takes about ${formatCount(data.minutes, 'minute', 'minutes')} and cannot be undone.`
      : 'Counting recipients…'
  return (
    <ConfirmDialog
      open
      title={`Send “${subject}”?`}
      message={error && !data ? errorText(error) : question}
      confirmLabel={data ? `Send to ${data.count.toLocaleString('en')}` : 'Send'}
      tone="neutral"
      busy={sending.isPending}
      onConfirm={() => data && sending.mutate(announcement)}
      onCancel={onClose}
    />
  )
}
