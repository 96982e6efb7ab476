// Table to edit uploaded tracks. Names are edited in their cells, other fields for several tracks at once. One button
// saves everything.
import { IconDeviceFloppy, IconMusic } from '#web/base/ui/icons/icons.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { updateAdminTracks } from '#contract/admin/admin-tracks.ts'
import type { ImportedTrack } from '#contract/admin/track-imports.ts'
import { call } from '../../base/api/api.ts'
import { RestoredNote } from '../../base/forms/restored-note.tsx'
import { errorText } from '../../base/api/show-error.ts'
import { useKeptDraft, useUnsavedForm } from '../../base/forms/use-unsaved-form.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { focusFirstProblem } from '../../base/ui/layout/focus.ts'
import { VisuallyHidden } from '../../base/ui/layout/visually-hidden.tsx'
import { showFailure } from '../shared/admin-failure.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { refreshAfterChange } from '../shared/refresh-after-change.ts'
import { BatchActions } from './batch-actions.tsx'
import {
  findRowProblems,
  splitIntoRequests,
  setFields,
  getRowValues,
  removeSavedChanges,
  type Draft,
  type TrackValues,
} from './batch-draft.ts'
import styles from './batch-editor.module.css'
import { BatchGrid } from './batch-grid.tsx'
import type { ImportedTracksQuery } from './batch-queries.ts'

export interface BatchEditorProps {
  batch: string
  query: ImportedTracksQuery
}

export function BatchEditor({ batch, query }: BatchEditorProps) {
  if (query.isPending) {
    return (
      <div aria-busy="true">
        <Skeleton height="16rem" />
      </div>
    )
  }
  if (query.error && !query.data) {
    return (
      <ErrorState
        title="Failed to load tracks"
        message={errorText(query.error)}
        busy={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    )
  }
  const tracks = query.data?.data ?? []
  if (tracks.length === 0) {
    return (
      <EmptyState
        icon={<IconMusic />}
        title="No tracks yet"
        message="You can edit tracks here as soon as their files are uploaded."
      />
    )
  }
  return <Editor key={batch} batch={batch} tracks={tracks} />
}

function Editor({ batch, tracks }: { batch: string; tracks: readonly ImportedTrack[] }) {
  const key = `batch:${batch}`
  const kept = useKeptDraft<[string, Partial<TrackValues>][]>(key)
  const [draft, setDraft] = useState<Draft>(() => new Map(kept))
  const [isRestored, setIsRestored] = useState(kept !== null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const chosenTracks = tracks.filter(({ id }) => chosen.has(id))
  const own = new Map([...draft].filter(([id]) => tracks.some((track) => track.id === id)))
  const saving = useSaveDraft(own, setDraft)
  const data = useMemo(() => [...draft], [draft])
  const unsaved = useUnsavedForm({
    key,
    what: 'the uploaded tracks',
    isUnsaved: own.size > 0,
    data,
  })
  function discard() {
    setDraft(removeSavedChanges(draft, own))
    setIsRestored(false)
    unsaved.saved()
  }
  const frame = useRef<HTMLDivElement>(null)
  const [filter, setFilter] = useState('')
  const shown = useMemo(() => matching(tracks, filter), [tracks, filter])

  function change(
    some: readonly ImportedTrack[],
    changesOf: (values: TrackValues, track: ImportedTrack) => Partial<TrackValues>,
  ) {
    setDraft((current) => setFields(current, some, changesOf))
  }
  function save() {
    if (saving.isPending || own.size === 0) return
    const wrong = tracks.find((track) => {
      const { title, artist } = findRowProblems(getRowValues(track, own))
      return own.has(track.id) && Boolean(title ?? artist)
    })
    if (!wrong) return saving.mutate()
    const problems = findRowProblems(getRowValues(wrong, own))
    const message = problems.title ?? problems.artist ?? ''
    showToast({ tone: 'destructive', title: 'Validation Error', message })
    focusFirstProblem(frame.current)
  }
  useSaveShortcut(save)

  const statusText = describeDraft(own)
  return (
    <div ref={frame} className={styles.editor}>
      <RestoredNote isShown={isRestored && own.size > 0} onDiscard={discard} />
      <BatchActions
        tracks={tracks}
        chosen={chosenTracks}
        draft={own}
        onChange={change}
        onChooseNone={() => setChosen(new Set())}
      />
      {tracks.length > 20 && <FilterField value={filter} onChange={setFilter} />}
      <BatchGrid
        tracks={shown}
        draft={own}
        chosen={chosen}
        onChoose={setChosen}
        onChange={(track, changes) => change([track], () => changes)}
      />
      <VisuallyHidden role="status">{statusText}</VisuallyHidden>
      {own.size > 0 && (
        <SaveBar
          statusText={statusText}
          busy={saving.isPending}
          onDiscard={discard}
          onSave={save}
        />
      )}
    </div>
  )
}

function describeDraft({ size }: Draft): string {
  return size === 0
    ? 'All changes saved.'
    : `${formatCount(size, 'track has', 'tracks have')} unsaved changes.`
}

interface FilterFieldProps {
  value: string
  onChange: (value: string) => void
}

function FilterField({ value, onChange }: FilterFieldProps) {
  return (
    <div className={styles.filter}>
      <TextField
        label="Filter tracks"
        hideLabel
        type="search"
        placeholder="Title, artist, folder or genre…"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  )
}

/** Returns the tracks whose title, artist, folder or genre contain every word. Hidden tracks stay selected. */
function matching(tracks: readonly ImportedTrack[], filter: string): readonly ImportedTrack[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return tracks
  return tracks.filter(({ title, artist, folder, genre, found_genre }) => {
    const text = [title, artist, folder, genre, found_genre].join('\n').toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

interface SaveBarProps {
  statusText: string
  busy: boolean
  onDiscard: () => void
  onSave: () => void
}

function SaveBar({ statusText, busy, onDiscard, onSave }: SaveBarProps) {
  return (
    <footer className={styles.footer} data-lower-bar>
      <p className={styles.unsaved} aria-hidden="true">
        {statusText}
      </p>
      <Button variant="quiet" disabled={busy} onClick={onDiscard}>
        Discard
      </Button>
      <Button
        variant="primary"
        icon={<IconDeviceFloppy />}
        busy={busy}
        aria-keyshortcuts="Control+S Meta+S"
        onClick={onSave}
      >
        Save Changes
      </Button>
    </footer>
  )
}

/** Saves on Ctrl+S and ⌘S. */
function useSaveShortcut(save: () => void): void {
  const saveByKey = useEffectEvent(save)
  useEffect(() => {
    const listening = new AbortController()
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      saveByKey()
    }
    document.addEventListener('keydown', press, { signal: listening.signal })
    return () => listening.abort()
  }, [])
}

/** Saves the draft in as few requests as possible. If a request fails, what earlier requests saved leaves the draft. */
function useSaveDraft(draft: Draft, setDraft: (change: (current: Draft) => Draft) => void) {
  const queryClient = useQueryClient()
  return useAdminMutation({
    async run() {
      let savedCount = 0
      for (const changes of splitIntoRequests(draft)) {
        await call(updateAdminTracks, { body: { changes } })
        const saved = new Map(changes.map(({ id }) => [id, draft.get(id) ?? {}]))
        // Refetch before clearing the draft. Otherwise the grid would briefly show the old values.
        await refreshAfterChange(queryClient, ['tracks', 'categories', 'genres'])
        setDraft((current) => removeSavedChanges(current, saved))
        savedCount += changes.length
      }
      return savedCount
    },
    refresh: [],
    done: (count) => `${formatCount(count, 'track', 'tracks')} updated successfully`,
    failed: (error) => showFailure(error, 'Failed to update tracks'),
  })
}
