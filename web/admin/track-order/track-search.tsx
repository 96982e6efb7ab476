// Search for tracks to add. Runs on Enter or a click on the button, and leaves out tracks that are already in the list.
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent, type ReactNode } from 'react'
import { editSearchLimit } from '#contract/tracks.ts'
import { errorText } from '../../base/api/show-error.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { SearchField } from '../../base/ui/controls/search-field.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import styles from './track-order.module.css'

/** Finds tracks. The result may contain tracks in `known`, which are removed, and more tracks than are shown. */
export type FindTracks<Track> = (text: string, known: ReadonlySet<string>) => Promise<Track[]>

export interface TrackSearchProps<Track> {
  /** Ids of the tracks that are already in the list. */
  without: readonly string[]
  find: FindTracks<Track>
  renderResult: (track: Track) => ReactNode
}

export function TrackSearch<Track extends { id: string }>({
  without,
  find,
  renderResult,
}: TrackSearchProps<Track>) {
  const [text, setText] = useState('')
  const known = new Set(without)
  const searching = useMutation({
    mutationFn: (wanted: string) => find(wanted, known),
    onError: (error) =>
      showToast({ tone: 'destructive', title: 'Search failed', message: errorText(error) }),
  })
  const results = searching.data?.filter(({ id }) => !known.has(id)).slice(0, editSearchLimit)

  function search(event: FormEvent) {
    event.preventDefault()
    if (text.trim()) searching.mutate(text.trim())
    else searching.reset()
  }

  return (
    <>
      <form className={styles.search} onSubmit={search}>
        <SearchField
          label="Search tracks"
          placeholder="Search tracks..."
          maxLength={200}
          value={text}
          onChange={(typed) => {
            setText(typed)
            if (!typed) searching.reset()
          }}
        />
        <Button type="submit" busy={searching.isPending}>
          Search
        </Button>
      </form>
      {results && results.length > 0 && (
        <ul className={styles.results} aria-label="Search results">
          {results.map((track) => (
            <li key={track.id}>{renderResult(track)}</li>
          ))}
        </ul>
      )}
      {results?.length === 0 && <EmptyState title="No tracks found" />}
    </>
  )
}
