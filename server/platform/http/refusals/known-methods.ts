// Refuses methods that a path does not allow, with a 405 that lists the allowed ones. A path without parameters has
// only the methods of its own operations, even if a path with a parameter also matches.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../operations/app-error.ts'
import { sendError } from '../error-handler.ts'

/** Maximum length of a path parameter. A path with a longer one matches no route. */
export const maxParamLength = 300
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const known = new Set<string>(methods)

/** Call it before the routes are registered. */
export function refuseDisallowedMethods(app: FastifyInstance): void {
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
      // The web app's wildcard route matches every path, so it doesn't count.
      return found !== null && !('*' in found.params)
    })
  }
  const unknown = (request: FastifyRequest): AppError => {
    const takes = allowed(getPath(request))
    if (takes.length === 0) return new AppError('not_found')
    return new AppError('method_not_allowed', { headers: { allow: takes.join(', ') } })
  }

  app.addHook('onRequest', (request, _reply, done) => {
    const own = writtenOut.get(getPath(request))
    // Refused in this hook, because the framework would first parse the body of some rare methods.
    const isRefused = own ? !own.has(request.method) : !known.has(request.method)
    done(isRefused ? unknown(request) : undefined)
  })
  app.setNotFoundHandler((request, reply) => sendError(reply, unknown(request)))
}

/** The path without the query. Only the path determines the allowed methods (RFC 9110 §15.5.6). */
function getPath({ url }: FastifyRequest): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}
