// Offline use, and the manifest that makes the app installable.
import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/offline.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Route } from '../../platform/http/route.ts'
import { getOfflineLease } from './offline-operations.ts'
import { describeWebApp } from './web-manifest.ts'

export function offlineRoutes(
  route: Route,
  app: FastifyInstance,
  services: { config: Config },
): void {
  route(contract.getOfflineLease, getOfflineLease)
  const manifest = JSON.stringify(describeWebApp(services.config.brandName))
  app.get('/manifest.webmanifest', (_request, reply) =>
    reply
      .header('content-type', 'application/manifest+json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(manifest),
  )
}
