// Preview of an email: narrow or wide, light or dark, or as plain text. The server renders it from the unsaved text.
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { previewMailWords } from '#contract/admin/service/admin-mail-words.ts'
import type { MailKind, MailWords } from '#contract/mail/mail-kinds.ts'
import { call } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import textStyles from '../../base/ui/layout/text.module.css'
import styles from './mail.module.css'

const views = [
  { value: 'narrow-light', label: 'Phone, light' },
  { value: 'narrow-dark', label: 'Phone, dark' },
  { value: 'wide-light', label: 'Wide, light' },
  { value: 'wide-dark', label: 'Wide, dark' },
  { value: 'text', label: 'Text' },
]

export function MailTextPreview({ kind, mailText }: { kind: MailKind; mailText: MailWords }) {
  const [view, setView] = useState('narrow-light')
  const [shown, setShown] = useState(mailText)
  const body = useDeferredValue(shown)
  const theme = view.endsWith('dark') ? ('dark' as const) : ('light' as const)
  const { data, error, isFetching } = useQuery({
    queryKey: ['admin', 'mail', 'preview', kind, theme, body],
    queryFn: ({ signal }) =>
      call(previewMailWords, { params: { kind }, body: { ...body, theme } }, { signal }),
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const isStale = JSON.stringify(mailText) !== JSON.stringify(shown)
  return (
    <section aria-label="Preview" className={styles.form}>
      <div className={styles.previewTools}>
        <Select
          label="Preview"
          options={views}
          value={view}
          onChange={({ target }) => setView(target.value)}
        />
        <Button disabled={!isStale} busy={isFetching} onClick={() => setShown(mailText)}>
          Refresh Preview
        </Button>
      </div>
      {error ? (
        <p role="alert">{errorText(error)}</p>
      ) : (
        data && (
          <>
            <p className={textStyles.softSmall}>Subject: {data.subject}</p>
            {view === 'text' ? (
              <pre className={styles.text}>{data.text}</pre>
            ) : (
              <div className={styles.scroller}>
                <iframe
                  title="Email preview"
                  className={view.startsWith('narrow') ? styles.narrow : styles.wide}
                  sandbox=""
                  srcDoc={data.html}
                />
              </div>
            )}
          </>
        )
      )}
    </section>
  )
}
