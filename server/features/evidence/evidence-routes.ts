import * as contract from '#contract/admin/track-evidence.ts'
import type { Route } from '../../platform/http/route.ts'
import {
  addTrackEvidence,
  deleteTrackEvidence,
  downloadTrackEvidence,
  listTrackEvidence,
  type EvidenceServices,
} from './evidence-operations.ts'

export function evidenceRoutes(route: Route, services: EvidenceServices): void {
  route(contract.listTrackEvidence, listTrackEvidence)
  route(contract.addTrackEvidence, (ctx, input) => addTrackEvidence(services, ctx, input))
  route.raw(contract.downloadTrackEvidence, (ctx, input, _request, reply) =>
    downloadTrackEvidence(services, ctx, input, reply),
  )
  route(contract.deleteTrackEvidence, deleteTrackEvidence)
}
