// Routes for spots: the next spot and its audio for members, the list for admins.
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as adminContract from '#contract/admin/service/admin-spots.ts'
import type { ParsedInput } from '#contract/endpoint.ts'
import * as contract from '#contract/spots.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { Route } from '../../platform/http/route.ts'
import { canPlaySpots } from '../billing/entitlements.ts'
import { sendRendition, type SenderServices } from '../streaming/send-rendition.ts'
import {
  createSpot,
  deleteSpot,
  listSpots,
  updateSpot,
  updateSpotRules,
  type SpotServices,
} from './admin-spots.ts'
import { getNextSpot, reportSpot } from './next-spot.ts'

export function spotRoutes(route: Route, services: SpotServices & SenderServices): void {
  route(contract.getNextSpot, getNextSpot)
  route(contract.reportSpot, reportSpot)
  route.raw(contract.streamSpot, (ctx, input, request, reply) =>
    streamSpot(services, ctx, input, { request, reply }),
  )
  route(adminContract.listSpots, listSpots)
  route(adminContract.createSpot, (ctx, input) => createSpot(services, ctx, input))
  route(adminContract.updateSpot, (ctx, input) => updateSpot(services, ctx, input))
  route(adminContract.deleteSpot, deleteSpot)
  route(adminContract.updateSpotRules, updateSpotRules)
}

/** Sends the audio of a spot. Members get a 404 for a spot that is switched off. */
async function streamSpot(
  services: SenderServices,
  { actor, db }: MemberContext,
  { params }: ParsedInput<typeof contract.streamSpot>,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<unknown> {
  if (!canPlaySpots(actor)) throw new AppError('spot_not_found')
  const spot = await db.query
    .selectFrom('spots')
    .select(['audio_key', 'is_on'])
    .where('id', '=', params.id)
    .executeTakeFirst()
  if (!spot?.audio_key || !(spot.is_on || actor.role === 'admin')) {
    throw new AppError('spot_not_found')
  }
  return sendRendition(services, request, reply, spot.audio_key)
}
