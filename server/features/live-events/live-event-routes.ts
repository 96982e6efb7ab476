// The route of the event stream (server-sent events), which notifies open pages of changes.
import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/events.ts'
import type { Route } from '../../platform/http/route.ts'
import { createLiveEvents, type LiveEventServices } from './live-events.ts'

export function liveEventRoutes(
  route: Route,
  app: FastifyInstance,
  services: LiveEventServices,
): void {
  const live = createLiveEvents(services)
  // When the server closes, it waits for open requests. Event streams never end by themselves, so close them first.
  app.addHook('preClose', async () => live.close())
  route.raw(contract.listenForEvents, async (ctx, _input, request, reply) => {
    const stream = live.listenForEvents(request, ctx.actor)
    return reply
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      .type('text/event-stream; charset=utf-8')
      .send(stream)
  })
}
