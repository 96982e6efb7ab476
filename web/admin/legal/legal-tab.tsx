// The Legal tab of the settings: terms, privacy policy, contact and other pages.
import { useQuery } from '@tanstack/react-query'
import { IconPlus } from '#web/base/ui/icons/icons.ts'
import { useState, type FormEvent } from 'react'
import {
  legalTitleMaxLength,
  listLegalPages,
  type AdminLegalPage,
} from '#contract/admin/admin-legal.ts'
import { toSlug } from '#contract/fields/slug.ts'
import { legalPath } from '#contract/legal.ts'
import { call } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { useUrlFilters } from '../shared/lists/use-url-filters.ts'
import { LegalEditor } from './legal-editor.tsx'
import { withTemplatePages, newPage, describePageState } from './legal-form.ts'
import styles from './legal.module.css'

const names = ['tab', 'legal'] as const

export function LegalTab() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['admin', 'legal'],
    queryFn: ({ signal }) => call(listLegalPages, {}, { signal }),
  })
  if (data) return <LegalPages saved={data.data} />
  if (error) {
    return (
      <ErrorState
        title="Failed to load the legal pages"
        message={errorText(error)}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    )
  }
  return (
    <div className={styles.form} aria-busy="true">
      <Skeleton height="3rem" />
      <Skeleton height="20rem" />
    </div>
  )
}

function LegalPages({ saved }: { saved: AdminLegalPage[] }) {
  const { values, change } = useUrlFilters(names)
  const [added, setAdded] = useState<AdminLegalPage[]>([])
  const isNew = ({ slug }: AdminLegalPage) => !saved.some((page) => page.slug === slug)
  const pages = [...withTemplatePages(saved), ...added.filter(isNew)]
  const chosen = pages.find(({ slug }) => slug === values.legal) ?? pages[0]
  const choose = (slug: string) => change({ legal: slug }, { replace: true })
  return (
    <div className={styles.columns}>
      <nav aria-label="Legal pages" className={styles.pages}>
        <ul className={styles.list}>
          {pages.map((page) => (
            <li key={page.slug}>
              <button
                type="button"
                className={styles.page}
                aria-current={page === chosen ? 'page' : undefined}
                onClick={() => choose(page.slug)}
              >
                <span>{page.title}</span>
                <span className={styles.state}>
                  {describePageState(page)} · {legalPath(page.slug)}
                </span>
              </button>
            </li>
          ))}
        </ul>
        <AddPage
          taken={pages.map(({ slug }) => slug)}
          onAdd={(page) => {
            setAdded([...added, page])
            choose(page.slug)
          }}
        />
      </nav>
      {chosen && <LegalEditor key={chosen.slug} page={chosen} />}
    </div>
  )
}

interface AddPageProps {
  taken: readonly string[]
  onAdd: (page: AdminLegalPage) => void
}

function AddPage({ taken, onAdd }: AddPageProps) {
  const [title, setTitle] = useState('')
  const [problem, setProblem] = useState<string>()
  function add(event: FormEvent) {
    event.preventDefault()
    const slug = toSlug(title).slice(0, 60).replace(/-+$/, '')
    if (!slug) return setProblem('Enter a title for the page')
    if (taken.includes(slug)) return setProblem('A page with this address already exists')
    setProblem(undefined)
    setTitle('')
    onAdd(newPage(slug, title.trim()))
  }
  return (
    <form className={styles.add} noValidate onSubmit={add}>
      <TextField
        label="New page"
        placeholder="Imprint"
        maxLength={legalTitleMaxLength}
        value={title}
        error={problem}
        onChange={(event) => setTitle(event.target.value)}
      />
      <Button type="submit" size="small" icon={<IconPlus />}>
        Add Page
      </Button>
    </form>
  )
}
