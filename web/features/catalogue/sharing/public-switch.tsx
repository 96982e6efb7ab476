// The switch that makes a playlist public, with a note on who can see it.
import type { Playlist } from '#contract/playlists.ts'
import { useSite } from '../../../base/session/site.ts'
import { Switch } from '../../../base/ui/controls/switch.tsx'

export interface PublicSwitchProps {
  /** The playlist as saved; null while a new one is being created. */
  playlist: Pick<Playlist, 'is_public' | 'is_smart' | 'share_url'> | null
  checked: boolean
  onChange: (isPublic: boolean) => void
}

export function PublicSwitch({ playlist, checked, onChange }: PublicSwitchProps) {
  const { default_audience } = useSite()
  // A playlist that became public before public pages existed gets a page only when it is made public again.
  const hasPage = playlist?.is_public
    ? playlist.share_url?.startsWith('/p/')
    : default_audience === 'everyone' && !playlist?.is_smart
  return (
    <Switch
      label="Public"
      hint={
        hasPage
          ? 'It gets a page that anyone can open. Members can play it. Only you can edit it.'
          : 'All members can open and play it. Only you can edit it.'
      }
      checked={checked}
      onChange={({ target }) => onChange(target.checked)}
    />
  )
}
