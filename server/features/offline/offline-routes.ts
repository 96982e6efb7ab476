// Routes for offline playback, and the manifest that makes the web app installable.
import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/offline.ts'
import type { Route } from '../../platform/http/route.ts'
import { perObject } from '../../platform/process/per-object.ts'
import type { Branding, ReadBranding } from '../settings/branding.ts'
import { getOfflineLease } from './offline-operations.ts'
import { describeWebApp } from './web-manifest.ts'

export function offlineRoutes(
  route: Route,
  app: FastifyInstance,
  { branding }: { branding: ReadBranding },
): void {
  route(contract.getOfflineLease, getOfflineLease)
  const manifest = perObject((current: Branding) => JSON.stringify(describeWebApp(current)))
  app.get('/manifest.webmanifest', (_request, reply) =>
    reply
      .header('content-type', 'application/manifest+json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(manifest(branding())),
  )
}
