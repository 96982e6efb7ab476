// Table of drafts and sent announcements, with delivery statistics and a menu of actions.
import { useState, type ReactNode } from 'react'
import type { Announcement } from '#contract/announcements.ts'
import { IconDotsVertical, IconMailForward } from '#web/base/ui/icons/icons.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { Badge } from '../../base/ui/display/badge.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { ProgressBar } from '../../base/ui/display/progress-bar.tsx'
import { Pagination } from '../../base/ui/lists/pagination.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { Menu, MenuItem } from '../../base/ui/overlays/menu.tsx'
import { formatMoment } from '../shared/format/format-moment.ts'
import { DataTable } from '../shared/lists/data-table.tsx'
import { useLast } from '../shared/lists/use-last.ts'
import {
  audienceLabels,
  useAnnouncements,
  useDeleteAnnouncement,
  useTestMail,
} from './announcement-queries.ts'
import styles from './announcements-screen.module.css'
import { SendDialog } from './send-dialog.tsx'

type Question = { kind: 'send' | 'delete'; announcement: Announcement }

export interface AnnouncementTableProps {
  writeButton: ReactNode
  onEdit: (announcement: Announcement) => void
}

export function AnnouncementTable({ writeButton, onEdit }: AnnouncementTableProps) {
  const [page, setPage] = useState(1)
  const [question, setQuestion] = useState<Question | null>(null)
  const list = useAnnouncements(page)
  const pagination = list.data?.pagination
  return (
    <div>
      <DataTable
        label="Announcements"
        stacked
        tall
        hasDensitySwitch={false}
        query={list}
        failedTitle="Failed to load the announcements"
        columns={['Subject', 'For', 'State', { number: 'Actions' }]}
        empty={
          <EmptyState
            icon={<IconMailForward />}
            title="No announcements yet"
            action={writeButton}
          />
        }
        footer={
          pagination && (
            <>
              <span>{formatCount(pagination.total, 'announcement', 'announcements')}</span>
              {pagination.total_pages > 1 && (
                <Pagination
                  label="Announcements"
                  page={pagination.page}
                  totalPages={pagination.total_pages}
                  onChange={setPage}
                />
              )}
            </>
          )
        }
      >
        {(list.data?.data ?? []).map((announcement) => (
          <AnnouncementRow
            key={announcement.id}
            announcement={announcement}
            onEdit={() => onEdit(announcement)}
            onAsk={(kind) => setQuestion({ kind, announcement })}
          />
        ))}
      </DataTable>
      {question?.kind === 'send' && (
        <SendDialog announcement={question.announcement} onClose={() => setQuestion(null)} />
      )}
      <DeleteQuestion
        announcement={question?.kind === 'delete' ? question.announcement : null}
        onClose={() => setQuestion(null)}
      />
    </div>
  )
}

interface AnnouncementRowProps {
  announcement: Announcement
  onEdit: () => void
  onAsk: (kind: Question['kind']) => void
}

function AnnouncementRow({ announcement, onEdit, onAsk }: AnnouncementRowProps) {
  const { subject, audience, state } = announcement
  const testing = useTestMail()
  const isDraft = state === 'draft'
  return (
    <tr>
      <th scope="row" className={styles.subject}>
        {subject}
      </th>
      <td data-label="For">{audienceLabels[audience]}</td>
      <td data-label="State">
        <AnnouncementState announcement={announcement} />
      </td>
      <td data-numeric data-corner>
        <Menu
          label={`Actions for ${subject}`}
          trigger={
            <IconButton size="small" label={`Actions for ${subject}`}>
              <IconDotsVertical />
            </IconButton>
          }
        >
          <MenuItem onSelect={onEdit}>{isDraft ? 'Edit' : 'Read'}</MenuItem>
          <MenuItem onSelect={() => testing.mutate(announcement)}>Send Me a Test</MenuItem>
          {isDraft && <MenuItem onSelect={() => onAsk('send')}>Send</MenuItem>}
          {isDraft && (
            <MenuItem danger onSelect={() => onAsk('delete')}>
              Delete
            </MenuItem>
          )}
        </Menu>
      </td>
    </tr>
  )
}

function AnnouncementState({ announcement }: { announcement: Announcement }) {
  const { state, sent_at, recipient_count, figures } = announcement
  if (state === 'draft') return <Badge tone="neutral">Draft</Badge>
  const total = recipient_count ?? 0
  const others = [
    figures.refused > 0 && `${figures.refused.toLocaleString('en')} refused`,
    figures.failed > 0 && `${figures.failed.toLocaleString('en')} failed`,
    figures.skipped > 0 && `${figures.skipped.toLocaleString('en')} skipped`,
  ].filter(Boolean)
  return (
    <>
      {state === 'sending' ? (
        <>
          <Badge tone="warning">Sending</Badge>
          <ProgressBar
            label="Emails sent"
            value={total === 0 ? 1 : (total - figures.waiting) / total}
          />
        </>
      ) : (
        <Badge tone="success">Sent</Badge>
      )}
      <small className={styles.facts}>
        {`${figures.sent.toLocaleString('en')} of ${total.toLocaleString('en')} emails`}
        {others.length > 0 && `, ${others.join(', ')}`}
        {sent_at && ` · ${formatMoment(sent_at)}`}
      </small>
    </>
  )
}

function DeleteQuestion({
  announcement,
  onClose,
}: {
  announcement: Announcement | null
  onClose: () => void
}) {
  const shown = useLast(announcement)
  const deletion = useDeleteAnnouncement(onClose)
  return (
    <ConfirmDialog
      open={announcement !== null}
      title={`Delete “${shown?.subject ?? ''}”?`}
      message="This draft was never sent. It is deleted permanently."
      confirmLabel="Delete"
      busy={deletion.isPending}
      onConfirm={() => announcement && deletion.mutate(announcement)}
      onCancel={onClose}
    />
  )
}
