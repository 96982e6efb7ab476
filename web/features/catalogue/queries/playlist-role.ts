// What the user may do with a playlist. The server enforces it. Downloads of earlier versions have no role.
import type { Playlist } from '#contract/playlists.ts'

type Owned = Pick<Playlist, 'is_own'> & Partial<Pick<Playlist, 'role' | 'shared_with' | 'is_smart'>>

/** True if the user may add, remove and move tracks. Always false for a smart playlist. */
export function mayChangeTracks({ is_own, role, is_smart = false }: Owned): boolean {
  return !is_smart && (is_own || role === 'editor')
}

/** True if the user shares the playlist with others, as its owner or as an invited member. */
export function isShared({ role, shared_with = 0 }: Owned): boolean {
  return role !== null && role !== undefined && shared_with > 0
}

/** Returns who shares the playlist, such as 'Shared by Ada'. Null for the user's own, curated and public playlists. */
export function formatSharedBy({
  is_own,
  role,
  owner_name,
}: Owned & Partial<Pick<Playlist, 'owner_name'>>): string | null {
  if (is_own || !role) return null
  return `Shared by ${owner_name || 'a member'}`
}

/** Like `formatSharedBy`, but returns 'Shared' for the user's own playlist that has other members. */
export function formatSharing(playlist: Parameters<typeof formatSharedBy>[0]): string | null {
  return formatSharedBy(playlist) ?? (isShared(playlist) ? 'Shared' : null)
}
