// Lists the support messages of a person. An admin can read and answer them here.
import { useState } from 'react'
import { formatShortMoment } from '../shared/format/format-moment.ts'
import { SupportStateBadge } from '../support/support-badges.tsx'
import { useInbox } from '../support/support-queries.ts'
import { ThreadDialog } from '../support/thread-dialog.tsx'
import { PersonCard } from './person-card.tsx'
import styles from './person-card.module.css'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import textStyles from '../../base/ui/layout/text.module.css'
import { Button } from '../../base/ui/controls/button.tsx'

const shown = 5

export const usePersonInbox = (id: string) => useInbox({ user_id: id, page_size: shown })

export function PersonMessages({ id }: { id: string }) {
  const inbox = usePersonInbox(id)
  const [opened, setOpened] = useState<string | null>(null)
  return (
    <PersonCard title="Messages" query={inbox}>
      {({ data, pagination }) => (
        <>
          {data.length === 0 && <p className={textStyles.softSmall}>No messages.</p>}
          <ul className={styles.list}>
            {data.map(({ id: threadId, subject, state, last_message_at }) => (
              <li key={threadId} className={styles.note}>
                <div className={styles.message}>
                  <Button size="small" variant="quiet" onClick={() => setOpened(threadId)}>
                    {subject}
                  </Button>
                  <SupportStateBadge state={state} />
                  <time dateTime={last_message_at}>{formatShortMoment(last_message_at)}</time>
                </div>
              </li>
            ))}
          </ul>
          {pagination.total > shown && <ScreenLink to="/admin/support">All messages</ScreenLink>}
          {opened && <ThreadDialog id={opened} onClose={() => setOpened(null)} />}
        </>
      )}
    </PersonCard>
  )
}
