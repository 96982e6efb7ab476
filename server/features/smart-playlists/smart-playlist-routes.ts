// Routes of the operations that apply only to smart playlists.
import * as contract from '#contract/smart-playlists.ts'
import type { Route } from '../../platform/http/route.ts'
import { previewSmartPlaylist } from './preview-operation.ts'

export function smartPlaylistRoutes(route: Route): void {
  route(contract.previewSmartPlaylist, previewSmartPlaylist)
}
