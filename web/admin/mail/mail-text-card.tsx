// Card that lists the emails sent to members. Each opens an editor for its text.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listMailWords } from '#contract/admin/service/admin-mail-words.ts'
import type { MailKind } from '#contract/mail/mail-kinds.ts'
import { call } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { Sheet } from '../../base/ui/overlays/sheet.tsx'
import { MailTextEditor } from './mail-text-editor.tsx'
import styles from './mail.module.css'

export function MailTextCard() {
  const [edited, setEdited] = useState<MailKind | null>(null)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['admin', 'mail', 'words'],
    queryFn: ({ signal }) => call(listMailWords, {}, { signal }),
  })
  const opened = data?.data.find(({ kind }) => kind === edited)
  return (
    <Card
      title="Email texts"
      description="Customize the emails that members receive. Amounts, links and small print are fixed."
    >
      {error ? (
        <ErrorState
          title="Failed to load the email texts"
          message={errorText(error)}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : data ? (
        <ul className={styles.kinds}>
          {data.data.map(({ kind, title, subject, default_subject, updated_at }) => (
            <li key={kind} className={styles.kind}>
              <div>
                <p>
                  {title} {updated_at && <Badge tone="accent">Customized</Badge>}
                </p>
                <p className={styles.subject}>{subject ?? default_subject}</p>
              </div>
              <Button size="small" aria-label={`Edit ${title}`} onClick={() => setEdited(kind)}>
                Edit
              </Button>
            </li>
          ))}
        </ul>
      ) : (
        <Skeleton height="20rem" />
      )}
      <Sheet
        open={opened !== undefined}
        title={opened?.title ?? 'Email text'}
        onClose={() => setEdited(null)}
      >
        {opened && (
          <MailTextEditor key={opened.kind} mailText={opened} onClose={() => setEdited(null)} />
        )}
      </Sheet>
    </Card>
  )
}
