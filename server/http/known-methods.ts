// Which methods an address takes. An address that is written out takes those of its own operations and no others,
// also where a neighbour with a parameter would match it; any other method is a 405 that names the right ones.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from './app-error.ts'
import { sendError } from './error-handler.ts'

/** Longer ones make an address that nothing answers, whatever the method. */
export const maxParamLength = 300
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const known = new Set<string>(methods)

/** Call it before the routes are registered. */
export function refuseOtherMethods(app: FastifyInstance): void {
  const writtenOut = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    if (/[:*]/.test(url)) return
    const own = writtenOut.get(url) ?? new Set()
    for (const one of [method].flat()) own.add(one)
    writtenOut.set(url, own)
  })

  const allowed = (path: string): string[] => {
    const own = writtenOut.get(path)
    if (own) return methods.filter((method) => own.has(method))
    if (path.split('/').some((part) => part.length > maxParamLength)) return []
    return methods.filter((method) => {
      const found = app.findRoute({ method, url: path })
      // The web app answers every address; that makes none of them known.
      return found !== null && !('*' in found.params)
    })
  }
  const unknown = (request: FastifyRequest): AppError => {
    const takes = allowed(pathOf(request))
    if (takes.length === 0) return new AppError('not_found')
    return new AppError('method_not_allowed', { headers: { allow: takes.join(', ') } })
  }

  app.addHook('onRequest', (request, _reply, done) => {
    const own = writtenOut.get(pathOf(request))
    // The framework would look into the body of some of the rarer methods first.
    const isRefused = own ? !own.has(request.method) : !known.has(request.method)
    done(isRefused ? unknown(request) : undefined)
  })
  app.setNotFoundHandler((request, reply) => sendError(reply, unknown(request)))
}

/** RFC 9110 §15.5.6 is about the path alone. */
function pathOf({ url }: FastifyRequest): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}
