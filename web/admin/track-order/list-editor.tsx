// The editor of a playlist or release: its details beside its tracks.
import type { UseQueryResult } from '@tanstack/react-query'
import type { FormEvent, ReactNode, Ref } from 'react'
import { ApiError } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { useDocumentTitle } from '../../base/session/document-title.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { EditNotes, type EditNotesProps } from '../conflicts/edit-notes.tsx'
import { AdminPage } from '../shared/admin-page.tsx'
import formStyles from '../shared/dialog-form.module.css'
import styles from './list-editor.module.css'

/** Returns true if the playlist or release doesn't exist, or if the id in the URL is malformed. */
export function isMissingList(error: Error | null, code: string): boolean {
  return error instanceof ApiError && [code, 'invalid_input'].includes(error.code)
}

interface OpenListProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isFetching' | 'refetch'>
  isMissing: boolean
  /** What is edited: 'Release' or 'Playlist'. */
  noun: string
  icon: ReactNode
  back: ReactNode
  failedTitle: string
  children: (data: Data) => ReactNode
}

/** Loads and renders a playlist or release. It stays on the screen if someone deletes it meanwhile. */
export function OpenList<Data extends { title: string }>(props: OpenListProps<Data>) {
  const { query, isMissing, noun, icon, back, failedTitle, children } = props
  const { data, error, isFetching, refetch } = query
  useDocumentTitle(data && `Edit ${data.title}`)
  if (data) return children(data)
  if (isMissing) return <EmptyState icon={icon} title={`${noun} not found`} action={back} />
  if (error) {
    return (
      <ErrorState
        title={failedTitle}
        message={errorText(error)}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    )
  }
  return (
    <div className={styles.waiting} aria-busy="true">
      <Skeleton width="16rem" height="2.25rem" />
      <Skeleton height="20rem" />
    </div>
  )
}

interface ListEditorProps<Form extends object> {
  /** What is edited: 'Release' or 'Playlist'. */
  noun: string
  title: string
  back: ReactNode
  /** Shown below the title, such as whether the release is published. */
  note: ReactNode
  edit: EditNotesProps<Form>['edit'] & { isUnsaved: boolean }
  /** True if the playlist or release has been deleted since the form was opened. */
  isDeleted: boolean
  /** True while the user may not save, for example during a review. */
  isLocked?: boolean
  isSaving: boolean
  onSave: (event?: FormEvent) => void
  /** Ref to the form that contains the fields. */
  formRef: Ref<HTMLFormElement>
  /** Buttons before the Save button. */
  actions?: ReactNode
  fields: ReactNode
  /** Rendered below the form. */
  more?: ReactNode
  /** The editor of the tracks. */
  children: ReactNode
}

export function ListEditor<Form extends object>(props: ListEditorProps<Form>) {
  const { noun, title, back, note, edit, isDeleted, isSaving, onSave, formRef } = props
  return (
    <AdminPage
      title={title || 'Untitled'}
      back={back}
      note={note}
      actions={
        <>
          <span className={styles.hint} role="status">
            {edit.isUnsaved && 'Remember to save changes'}
          </span>
          {props.actions}
          <Button
            variant="primary"
            disabled={isDeleted || props.isLocked}
            busy={isSaving}
            onClick={() => onSave()}
          >
            Save Changes
          </Button>
        </>
      }
    >
      <EditNotes
        edit={edit}
        deletionNote={isDeleted ? `This ${noun.toLowerCase()} was deleted.` : undefined}
      />
      <div className={styles.columns}>
        <Card title={`${noun} Info`}>
          <form ref={formRef} className={formStyles.form} noValidate onSubmit={onSave}>
            {props.fields}
          </form>
          {props.more && <div className={styles.more}>{props.more}</div>}
        </Card>
        {props.children}
      </div>
    </AdminPage>
  )
}
