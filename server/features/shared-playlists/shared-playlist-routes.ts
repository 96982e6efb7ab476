// Routes for shared playlists.
import * as contract from '#contract/shared-playlists.ts'
import type { Route } from '../../platform/http/route.ts'
import {
  acceptPlaylistInvitation,
  createPlaylistInvitation,
  openPlaylistInvitation,
  revokePlaylistInvitation,
} from './invitation-operations.ts'
import {
  changePlaylistMember,
  listPlaylistMembers,
  removePlaylistMember,
} from './member-operations.ts'
import { undoPlaylistChange } from './undo-change.ts'

export function sharedPlaylistRoutes(route: Route): void {
  route(contract.listPlaylistMembers, listPlaylistMembers)
  route(contract.changePlaylistMember, changePlaylistMember)
  route(contract.removePlaylistMember, removePlaylistMember)
  route(contract.createPlaylistInvitation, createPlaylistInvitation)
  route(contract.revokePlaylistInvitation, revokePlaylistInvitation)
  route(contract.openPlaylistInvitation, openPlaylistInvitation)
  route(contract.acceptPlaylistInvitation, acceptPlaylistInvitation)
  route(contract.undoPlaylistChange, undoPlaylistChange)
}
