// Text field for an artist's name. Suggests existing artists, and also accepts a new name.
import { formatCount } from '../../base/format/format-duration.ts'
import type { FieldLook } from '../../base/ui/controls/field.tsx'
import { SearchCombobox } from '../../base/ui/controls/search-combobox.tsx'
import { useFoundArtists } from './artist-queries.ts'

export interface ArtistFieldProps extends FieldLook {
  value: string
  onChange: (name: string) => void
  placeholder?: string
}

export function ArtistField(props: ArtistFieldProps) {
  const { artists, isSearching } = useFoundArtists(props.value)
  return (
    <SearchCombobox
      {...props}
      isSearching={isSearching}
      options={artists.map(({ name, track_count }) => ({
        value: name,
        label: `${name} · ${formatCount(track_count, 'track', 'tracks')}`,
      }))}
    />
  )
}
