// One row of the artist list.
import {
  IconArrowsJoin,
  IconArrowsSplit,
  IconDots,
  IconExternalLink,
  IconPencil,
  IconTrash,
} from '#web/base/ui/icons/icons.ts'
import type { AdminArtist } from '#contract/admin/admin-artists.ts'
import { formatDay } from '../../base/format/format-day.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { Cover } from '../../base/ui/display/cover.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../base/ui/overlays/menu.tsx'
import { RowCheckbox } from '../shared/lists/row-checkboxes.tsx'
import type { RowSelection } from '../shared/lists/use-selection.ts'
import styles from './artists-screen.module.css'
import layout from '../../base/ui/layout/layout.module.css'
import textStyles from '../../base/ui/layout/text.module.css'

export interface ArtistRowProps {
  artist: AdminArtist
  selection: RowSelection
  onEdit: () => void
  onMerge: () => void
  onSplit: () => void
  onDelete: () => void
}

export function ArtistRow({
  artist,
  selection,
  onEdit,
  onMerge,
  onSplit,
  onDelete,
}: ArtistRowProps) {
  const { id, name, slug, aliases, track_count, created_at } = artist
  return (
    <tr aria-selected={selection.isChosen(id)}>
      <RowCheckbox name={name} id={id} selection={selection} />
      <th scope="row">
        <span className={layout.line3}>
          <span className={styles.picture}>
            <Cover
              url={artist.cover_url}
              tint={artist.cover_tint}
              placeholder={artist.cover_placeholder}
              title={name}
              sizes="32px"
              radius="none"
            />
          </span>
          <button type="button" className={styles.open} onClick={onEdit}>
            {name}
          </button>
          {aliases.length > 0 && (
            <span className={styles.aliases} title={aliases.join(', ')}>
              also {aliases.join(', ')}
            </span>
          )}
        </span>
      </th>
      <td data-wide>{slug}</td>
      <td data-numeric>
        {track_count > 0 ? (
          <ScreenLink to={`/admin/tracks?q=${encodeURIComponent(name)}`}>
            {track_count.toLocaleString('en')}
          </ScreenLink>
        ) : (
          0
        )}
      </td>
      <td data-wide className={textStyles.noWrap}>
        {formatDay(created_at)}
      </td>
      <td data-numeric>
        <ArtistMenu {...{ artist, onEdit, onMerge, onSplit, onDelete }} />
      </td>
    </tr>
  )
}

type ArtistMenuProps = Omit<ArtistRowProps, 'selection'>

function ArtistMenu({ artist, onEdit, onMerge, onSplit, onDelete }: ArtistMenuProps) {
  const { name, slug, track_count } = artist
  return (
    <Menu
      label={`Actions for ${name}`}
      trigger={
        <IconButton size="small" label={`Actions for ${name}`} data-control="more">
          <IconDots />
        </IconButton>
      }
    >
      <MenuItem icon={<IconPencil />} onSelect={onEdit}>
        Edit
      </MenuItem>
      <MenuItem
        icon={<IconExternalLink />}
        onSelect={() => window.open(`/artists/${slug}`, '_blank', 'noopener')}
      >
        Open page
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<IconArrowsJoin />} onSelect={onMerge}>
        Merge into another artist
      </MenuItem>
      {track_count > 0 && (
        <MenuItem icon={<IconArrowsSplit />} onSelect={onSplit}>
          Move tracks to another artist
        </MenuItem>
      )}
      {track_count === 0 && (
        <MenuItem icon={<IconTrash />} onSelect={onDelete}>
          Delete
        </MenuItem>
      )}
    </Menu>
  )
}
