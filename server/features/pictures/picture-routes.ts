// Serves covers and avatars to anyone who has their URL. The picture with a given id never changes, so it may be cached
// permanently.
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { pictureSizes } from '#contract/fields/pictures.ts'
import type { HiddenCovers } from './hidden-covers.ts'
import type { JpegPictures } from './jpeg-pictures.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { FileServer } from '../../platform/streaming/file-server.ts'
import { pictureKey } from './store-picture.ts'

const cacheControl = 'public, max-age=31536000, immutable'

const params = z.object({
  kind: z.enum(['covers', 'avatars']),
  id: z.uuid(),
  file: z.string().check(z.regex(/^\d{2,4}\.(?:avif|webp|jpg)$/)),
})

export function pictureRoutes(
  app: FastifyInstance,
  {
    files,
    hiddenCovers,
    jpegs,
  }: { files: FileServer; hiddenCovers: HiddenCovers; jpegs: JpegPictures },
): void {
  app.get('/media/:kind/:id/:file', async (request, reply) => {
    const parsed = z.safeParse(params, request.params)
    if (!parsed.success) throw new AppError('not_found')
    const { kind, id, file } = parsed.data
    const [digits, format] = file.split('.') as [string, 'avif' | 'webp' | 'jpg']
    if (kind === 'covers' && (await hiddenCovers.has(id))) throw new AppError('not_found')
    const size = pictureSizes.find((known) => String(known) === digits)
    if (!size) throw new AppError('not_found')
    // Emails contain covers, and a webmail page is another site.
    if (kind === 'covers') reply.header('cross-origin-resource-policy', 'cross-origin')
    const picture = { kind: kind === 'covers' ? 'cover' : 'avatar', id, size } as const
    if (format === 'jpg') return jpegs.send(reply, picture, cacheControl)
    return files.send(request, reply, {
      key: pictureKey(picture.kind, id, size, format),
      mime: `image/${format}`,
      cacheControl,
    })
  })
}
