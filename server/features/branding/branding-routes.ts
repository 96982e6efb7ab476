// Routes of the branding operations for admins, and the public files of the logo and the icon.
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import * as contract from '#contract/admin/admin-branding.ts'
import type { Route } from '../../platform/http/route.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import { emblemFiles } from '../../platform/pictures/emblem-names.ts'
import type { FileServer } from '../../platform/streaming/file-server.ts'
import { emblemKey } from '../settings/emblem-files.ts'
import { getBranding, updateBranding, type BrandingServices } from './branding-operations.ts'

const params = z.object({ id: z.uuid(), file: z.enum([...emblemFiles.logo, ...emblemFiles.icon]) })

export function brandingRoutes(
  route: Route,
  app: FastifyInstance,
  services: BrandingServices & { files: FileServer },
): void {
  route(contract.getBranding, (ctx) => getBranding(services, ctx))
  route(contract.updateBranding, (ctx, input) => updateBranding(services, ctx, input))
  app.get('/media/branding/:id/:file', async (request, reply) => {
    const parsed = z.safeParse(params, request.params)
    if (!parsed.success) throw new AppError('not_found')
    const { id, file } = parsed.data
    // Emails and pages of other sites contain the logo.
    reply.header('cross-origin-resource-policy', 'cross-origin')
    return services.files.send(request, reply, {
      key: emblemKey(id, file),
      mime: 'image/png',
      cacheControl: 'public, max-age=31536000, immutable',
    })
  })
}
