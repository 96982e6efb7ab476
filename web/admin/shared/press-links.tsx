// Press links of a track, release or artist, shown in its form: who got each link, when it expires, and a form to
// create another.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import {
  createPressLink,
  deletePressLink,
  listPressLinks,
  pressLinkDefaultDays,
  pressLinkMaxDays,
  type PressLink,
} from '#contract/admin/press-links.ts'
import { call } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { copyText } from '../../base/browser/copy-text.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { showReason } from './admin-failure.ts'
import { formatMoment } from './format/format-moment.ts'
import styles from './press-links.module.css'
import { useAdminMutation } from './use-admin-mutation.ts'

type Item = Pick<PressLink, 'kind' | 'item_id'>

const getQueryKey = ({ kind, item_id }: Item) => ['admin', 'press-links', kind, item_id] as const

export function PressLinks({ item }: { item: Item }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className={styles.box} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className={styles.summary}>Press links</summary>
      <p className={styles.hint}>
        Anyone with the link can open the page and its previews until it expires, even for a draft.
      </p>
      {isOpen && (
        <>
          <LinkList item={item} />
          <NewLink item={item} />
        </>
      )}
    </details>
  )
}

function LinkList({ item }: { item: Item }) {
  const { data, error } = useQuery({
    queryKey: getQueryKey(item),
    queryFn: async ({ signal }) => (await call(listPressLinks, { query: item }, { signal })).data,
  })
  if (error) return <p className={styles.hint}>{errorText(error)}</p>
  if (!data) return <p className={styles.hint}>Loading…</p>
  if (data.length === 0) return <p className={styles.hint}>No press links yet.</p>
  return (
    <ul className={styles.links}>
      {data.map((link) => (
        <LinkRow key={link.id} link={link} />
      ))}
    </ul>
  )
}

function LinkRow({ link }: { link: PressLink }) {
  const queryClient = useQueryClient()
  const ending = useAdminMutation({
    run: () => call(deletePressLink, { params: { id: link.id } }),
    refresh: [],
    done: 'Press link revoked',
    onDone: () => void queryClient.invalidateQueries({ queryKey: getQueryKey(link) }),
    failed: (error) => showReason(error, 'Failed to revoke the link'),
  })
  return (
    <li className={styles.link}>
      <span>
        {link.label}{' '}
        <small className={styles.hint}>
          {link.is_expired ? 'Expired' : `Until ${formatMoment(link.expires_at)}`}
        </small>
      </span>
      <Button
        size="small"
        variant="quiet"
        busy={ending.isPending}
        aria-label={`Revoke the link for ${link.label}`}
        onClick={() => ending.mutate()}
      >
        End
      </Button>
    </li>
  )
}

function NewLink({ item }: { item: Item }) {
  const id = useId()
  const queryClient = useQueryClient()
  const [label, setLabel] = useState('')
  const [days, setDays] = useState(String(pressLinkDefaultDays))
  const [url, setUrl] = useState<string>()
  const creating = useAdminMutation({
    async run() {
      const body = { ...item, label, days: Number(days) }
      const { data } = await call(createPressLink, { body })
      return data.url
    },
    refresh: [],
    onDone(createdUrl: string) {
      void queryClient.invalidateQueries({ queryKey: getQueryKey(item) })
      setUrl(createdUrl)
      setLabel('')
    },
    failed: (error) => showReason(error, 'Failed to create the link'),
  })
  const isValid = label.trim() !== '' && Number(days) >= 1 && Number(days) <= pressLinkMaxDays
  return (
    <div className={styles.new} role="group" aria-label="New press link">
      <TextField
        label="Recipient"
        maxLength={100}
        value={label}
        onChange={(event) => setLabel(event.target.value)}
      />
      <TextField
        label="Days"
        type="number"
        inputMode="numeric"
        min={1}
        max={pressLinkMaxDays}
        value={days}
        onChange={(event) => setDays(event.target.value)}
      />
      <Button disabled={!isValid} busy={creating.isPending} onClick={() => creating.mutate()}>
        Create Link
      </Button>
      {url && (
        <p className={styles.made} role="status" id={id}>
          <code>{url}</code>
          <Button size="small" onClick={() => void copyText(url)} aria-describedby={id}>
            Copy
          </Button>
          <small className={styles.hint}>Copy it now. It is not shown again.</small>
        </p>
      )}
    </div>
  )
}
