// Routes for similar tracks, radio and daily mixes.
import * as contract from '#contract/radio.ts'
import type { Route } from '../../platform/http/route.ts'
import { getMix, listMixes } from './mix-operations.ts'
import { listSimilarToRelease, listSimilarTracks, startRadio } from './radio-operations.ts'
import { findTrackPath } from './track-path.ts'

export function similarRoutes(route: Route): void {
  route(contract.listSimilarTracks, listSimilarTracks)
  route(contract.listSimilarToRelease, listSimilarToRelease)
  route(contract.startRadio, startRadio)
  route(contract.listMixes, listMixes)
  route(contract.getMix, getMix)
  route(contract.findTrackPath, findTrackPath)
}
