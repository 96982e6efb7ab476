// Searches tracks to add, on Enter or the button. Shows at most 20, without those already in the playlist.
import { useQuery } from '@tanstack/react-query'
import { IconPlus, IconSearch } from '#web/base/ui/icons/icons.ts'
import { useEffect, useMemo, useState } from 'react'
import { editSearchLimit, searchMaxLength } from '#contract/tracks.ts'
import { errorText, showError } from '../../base/api/show-error.ts'
import { searchTitleOrArtist } from '../catalogue/queries/search-title-or-artist.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { SearchField } from '../../base/ui/controls/search-field.tsx'
import styles from './edit-track-search.module.css'
import { PickTrackRow } from '../catalogue/cards/pick-track-row.tsx'
import type { DraftTrack } from './playlist-draft.ts'

export interface EditTrackSearchProps {
  /** The tracks already in the playlist. */
  tracks: readonly DraftTrack[]
  onAdd: (track: DraftTrack) => void
}

export function EditTrackSearch({ tracks, onAdd }: EditTrackSearchProps) {
  const [text, setText] = useState('')
  const [searchedText, setSearchedText] = useState('')
  const isIn = useMemo(() => new Set(tracks.map((track) => track.id)), [tracks])
  const search = useQuery({
    queryKey: ['tracks', 'to-add', searchedText] as const,
    queryFn: ({ signal }) => searchTitleOrArtist(searchedText, { without: isIn, signal }),
    enabled: searchedText !== '',
  })
  useEffect(() => {
    if (search.error) showError(search.error, errorText(search.error), 'Search failed')
  }, [search.error])

  function runSearch() {
    const wanted = text.trim()
    if (wanted !== '' && wanted === searchedText && !search.isFetching) void search.refetch()
    setSearchedText(wanted)
  }
  const found = searchedText === '' ? undefined : search.data
  const results = found?.filter((track) => !isIn.has(track.id)).slice(0, editSearchLimit)

  return (
    <div className={styles.search}>
      <div className={styles.box}>
        <SearchField
          label="Search tracks to add"
          placeholder="Search tracks..."
          maxLength={searchMaxLength}
          value={text}
          onChange={(value) => {
            setText(value)
            // If the box is empty, there are no results.
            if (value.trim() === '') setSearchedText('')
          }}
          onSearch={runSearch}
        />
        <Button icon={<IconSearch />} busy={search.isFetching} onClick={runSearch}>
          Search
        </Button>
      </div>
      <p className={styles.status} role="status">
        {results && (results.length === 0 ? 'No tracks found' : `${results.length} found`)}
      </p>
      {results && results.length > 0 && (
        <ul className={styles.results} aria-label="Search results">
          {results.map((track) => (
            <li key={track.id} className={styles.result}>
              <PickTrackRow track={track}>
                <Button
                  size="small"
                  icon={<IconPlus />}
                  aria-label={`Add ${track.title}`}
                  data-control="add"
                  onClick={() => onAdd(track)}
                >
                  Add
                </Button>
              </PickTrackRow>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
