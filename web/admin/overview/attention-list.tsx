// Items that need the owner's attention, most urgent first, each with a link.
import {
  IconAlertTriangle,
  IconChevronRight,
  IconCircleCheck,
  IconCreditCardOff,
  IconDatabaseExclamation,
  IconFileAlert,
  IconServerBolt,
  IconUserMinus,
  IconVinyl,
} from '#web/base/ui/icons/icons.ts'
import type { ReactNode } from 'react'
import type { Overview } from '#contract/admin/admin-overview.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { formatBytes } from '../shared/format/format-bytes.ts'
import { formatDay } from '../shared/format/format-moment.ts'
import styles from './overview-screen.module.css'
import layout from '../../base/ui/layout/layout.module.css'

interface AttentionItem {
  key: string
  tone: 'danger' | 'warning' | 'info'
  icon: ReactNode
  title: string
  note: string
  to: string
}

export function AttentionList({ overview }: { overview: Overview }) {
  const items = listItems(overview)
  return (
    <Card title="Needs attention" flush>
      {items.length === 0 ? (
        <div className={styles.calm}>
          <EmptyState
            icon={<IconCircleCheck />}
            title="Nothing needs your attention"
            message="Failed uploads, failed payments and member requests appear here."
          />
        </div>
      ) : (
        <ul className={styles.items}>
          {items.map(({ key, tone, icon, title, note, to }) => (
            <li key={key}>
              <ScreenLink to={to} className={styles.item}>
                <span className={styles.itemIcon} data-tone={tone} aria-hidden="true">
                  {icon}
                </span>
                <span className={layout.grow}>
                  <span className={styles.itemTitle}>{title}</span>
                  <span className={styles.itemNote}>{note}</span>
                </span>
                <IconChevronRight className={styles.chevron} aria-hidden="true" />
              </ScreenLink>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function listItems({ attention, last_backup_at }: Overview): AttentionItem[] {
  const { disk } = attention
  const items: (AttentionItem | false)[] = [
    disk.level !== 'ok' && {
      key: 'disk',
      tone: disk.level === 'full' ? 'danger' : 'warning',
      icon: <IconServerBolt />,
      title: disk.level === 'full' ? 'The disk is full' : 'The disk is almost full',
      note: `${formatBytes(disk.free_bytes)} free on ${disk.host}.`,
      to: '/admin/system',
    },
    toCountedItem(attention.failed_payments, ['payment failed', 'payments failed'], {
      key: 'payments',
      tone: 'danger',
      icon: <IconCreditCardOff />,
      note: 'A renewal payment failed. Stripe keeps retrying for a while.',
      to: '/admin/billing',
    }),
    toCountedItem(attention.failed_tracks, ['track failed', 'tracks failed'], {
      key: 'tracks',
      tone: 'danger',
      icon: <IconFileAlert />,
      note: 'Their recordings could not be processed.',
      to: '/admin/library?state=failed',
    }),
    toCountedItem(attention.failed_jobs, ['background job failed', 'background jobs failed'], {
      key: 'jobs',
      tone: 'warning',
      icon: <IconAlertTriangle />,
      note: 'Retry or discard them on the System page.',
      to: '/admin/system',
    }),
    attention.backup !== 'ok' && {
      key: 'backup',
      tone: 'warning',
      icon: <IconDatabaseExclamation />,
      title: attention.backup === 'none' ? 'There is no backup' : 'A backup is overdue',
      note: last_backup_at
        ? `The latest complete backup is from ${formatDay(last_backup_at)}. See the System page for details.`
        : 'See the System page for how to make one.',
      to: '/admin/system',
    },
    toCountedItem(
      attention.deletion_requests,
      ['account deletion requested', 'account deletions requested'],
      {
        key: 'deletions',
        tone: 'warning',
        icon: <IconUserMinus />,
        note: 'These members asked to delete their accounts.',
        to: '/admin/users?deletion_requested=true',
      },
    ),
    toCountedItem(attention.drafts_ready, ['draft is ready', 'drafts are ready'], {
      key: 'drafts',
      tone: 'info',
      icon: <IconVinyl />,
      note: 'Processed but not published. Listen and publish them.',
      to: '/admin/library?published=false',
    }),
  ]
  return items.filter((item) => item !== false)
}

function toCountedItem(
  count: number,
  [one, many]: readonly [string, string],
  item: Omit<AttentionItem, 'title'>,
): AttentionItem | false {
  return (
    count > 0 && { ...item, title: `${count.toLocaleString('en')} ${count === 1 ? one : many}` }
  )
}
