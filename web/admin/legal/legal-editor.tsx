// Edits the draft of a legal page, lists its versions, and publishes it.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import {
  deleteLegalPage,
  legalTextMaxLength,
  legalTitleMaxLength,
  previewLegalPage,
  saveLegalPage,
  type AdminLegalPage,
} from '#contract/admin/admin-legal.ts'
import { isUnfinished, findPlaceholders } from '#contract/legal-templates.ts'
import { legalPath } from '#contract/legal.ts'
import { call } from '../../base/api/api.ts'
import { noFiles } from '../../base/forms/use-form-draft.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { siteQuery } from '../../base/session/site.ts'
import { buttonClass } from '../../base/ui/controls/button-class.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Switch } from '../../base/ui/controls/switch.tsx'
import { TextArea } from '../../base/ui/controls/text-area.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { EditNotes } from '../conflicts/edit-notes.tsx'
import { useVersionedForm } from '../conflicts/use-versioned-form.ts'
import { showFailure } from '../shared/admin-failure.ts'
import { formatMoment } from '../shared/format/format-moment.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { isUnsavedPage, legalForm, type LegalForm } from './legal-form.ts'
import styles from './legal.module.css'
import { PublishDialog } from './publish-dialog.tsx'

interface LegalProblems {
  title?: string | undefined
  draft?: string | undefined
}

export function LegalEditor({ page }: { page: AdminLegalPage }) {
  const edit = useVersionedForm(`legal:${page.slug}`, page, legalForm, noFiles)
  const { form, setForm, isUnsaved } = edit
  const { form: element, problems, showProblems } = useProblems<LegalProblems>()
  const [isPublishing, setIsPublishing] = useState(false)
  const saving = useSaveLegalPage(page, edit)
  const open = findPlaceholders(form.draft)
  const change = (changes: Partial<LegalForm>) => setForm({ ...form, ...changes })

  function check(): boolean {
    return showProblems({ title: form.title.trim() ? undefined : 'Title is required' })
  }
  function save(event?: FormEvent) {
    event?.preventDefault()
    if (!check() && !saving.isPending) saving.mutate()
  }
  function publish() {
    if (check()) return
    if (isUnfinished(form.draft) || !form.draft.trim()) {
      showProblems({
        draft: 'First fill in the placeholders in [[ ]] and remove the brackets',
      })
      return
    }
    const ask = () => setIsPublishing(true)
    if (!isUnsaved && !isUnsavedPage(page)) ask()
    else if (!saving.isPending) saving.mutate(undefined, { onSuccess: ask })
  }
  return (
    <div className={styles.editor}>
      <EditNotes edit={edit} />
      <form ref={element} className={styles.form} noValidate onSubmit={save}>
        <TextField
          label="Title"
          maxLength={legalTitleMaxLength}
          value={form.title}
          error={problems.title}
          onChange={(event) => change({ title: event.target.value })}
        />
        <div className={styles.text}>
          <TextArea
            label="Text"
            rows={18}
            maxLength={legalTextMaxLength}
            hint="Markdown: ## for headings, - for lists, [text](https://address) for links. HTML is shown as text."
            value={form.draft}
            error={problems.draft}
            onChange={(event) => change({ draft: event.target.value })}
          />
        </div>
        <OpenParts parts={open} />
        {page.versions.length > 0 && (
          <Switch
            label="Shown"
            hint="If off, the page is unavailable and nothing links to it"
            checked={form.is_shown}
            onChange={(event) => change({ is_shown: event.target.checked })}
          />
        )}
      </form>
      <footer className={styles.footer}>
        <DeleteButton page={page} />
        <PreviewLink slug={page.slug} isSaved={!isUnsaved && !isUnsavedPage(page)} />
        <Button busy={saving.isPending} onClick={() => save()}>
          Save Draft
        </Button>
        <Button variant="primary" onClick={publish}>
          Publish…
        </Button>
      </footer>
      <Versions page={page} />
      <PublishDialog
        open={isPublishing}
        page={page}
        onClose={() => setIsPublishing(false)}
        onPublished={edit.restart}
      />
    </div>
  )
}

function OpenParts({ parts }: { parts: string[] }) {
  if (parts.length === 0) return null
  return (
    <div className={styles.open} role="status">
      <p>
        {parts.length === 1 ? '1 placeholder needs' : `${parts.length} placeholders need`} to be
        filled in before you can publish.
      </p>
      <ol>
        {parts.map((part, index) => (
          <li key={index}>{part}</li>
        ))}
      </ol>
    </div>
  )
}

/** A link to the preview of the draft. Unsaved changes have no preview, because the server renders the saved draft. */
function PreviewLink({ slug, isSaved }: { slug: string; isSaved: boolean }) {
  if (!isSaved) return <span className={styles.state}>Save the draft to preview it</span>
  const address = previewLegalPage.path.replace(':slug', slug)
  return (
    <a className={buttonClass({})} href={address} target="_blank" rel="noopener">
      Preview
    </a>
  )
}

type Edit = ReturnType<typeof useVersionedForm<AdminLegalPage, LegalForm, typeof noFiles.kept>>

function useSaveLegalPage({ slug }: AdminLegalPage, edit: Edit) {
  const queryClient = useQueryClient()
  return useAdminMutation<void, AdminLegalPage>({
    run: () =>
      edit.save(({ form, version }) =>
        call(saveLegalPage, {
          params: { slug },
          // Omit the version for a page that is not saved yet, because it has none.
          body: { ...form, ...(version > 0 && { version }) },
        }),
      ),
    refresh: [],
    done: 'Draft saved',
    onDone(saved) {
      edit.restart(saved)
      void queryClient.invalidateQueries({ queryKey: ['admin', 'legal'] })
      void queryClient.invalidateQueries(siteQuery)
    },
    failed: 'Failed to save the page',
  })
}

function DeleteButton({ page }: { page: AdminLegalPage }) {
  const queryClient = useQueryClient()
  const deleting = useMutation({
    mutationFn: () => call(deleteLegalPage, { params: { slug: page.slug } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['admin', 'legal'] }),
    onError: (error) => showFailure(error, 'Failed to delete the draft'),
  })
  if (page.versions.length > 0 || isUnsavedPage(page)) return null
  return (
    <Button variant="quiet" busy={deleting.isPending} onClick={() => deleting.mutate()}>
      Delete Draft
    </Button>
  )
}

function Versions({ page: { slug, versions } }: { page: AdminLegalPage }) {
  if (versions.length === 0) return null
  return (
    <section className={styles.versions}>
      <h2>Versions</h2>
      <ul>
        {versions.map(({ number, published_at, asks_consent, consents }, index) => (
          <li key={number}>
            <a
              href={index === 0 ? legalPath(slug) : `${legalPath(slug)}?version=${number}`}
              target="_blank"
              rel="noopener"
            >
              Version {number}
            </a>
            <span className={styles.state}>
              {formatMoment(published_at)}
              {asks_consent && ' · asked for consent'}
              {slug === 'terms' && ` · ${consents.toLocaleString('en')} agreed`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
