// Finds published tracks by title or artist, on Enter or with the button. Tracks that the playlist already has
// are left out.
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent, type ReactNode } from 'react'
import { editSearchLimit } from '#contract/tracks.ts'
import { errorText } from '../../base/api/show-error.ts'
import { searchTitleOrArtist } from '../../features/catalogue/queries/search-title-or-artist.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { SearchField } from '../../base/ui/controls/search-field.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import styles from './admin-playlist-screen.module.css'
import type { DraftTrack } from './playlist-draft.ts'

export interface TrackSearchProps {
  /** Tracks to leave out of the results. */
  without: readonly string[]
  renderResult: (track: DraftTrack) => ReactNode
}

export function TrackSearch({ without, renderResult }: TrackSearchProps) {
  const [text, setText] = useState('')
  const known = new Set(without)
  const searching = useMutation({
    mutationFn: (text: string) => searchTitleOrArtist(text, { without: known }),
    onError: (error) =>
      showToast({ tone: 'destructive', title: 'Search failed', message: errorText(error) }),
  })
  const results = searching.data
    ?.filter(({ id }) => !known.has(id))
    .slice(0, editSearchLimit)
    .map((track): DraftTrack => ({ ...track, is_published: true }))

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
          onChange={(words) => {
            setText(words)
            if (!words) searching.reset()
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
